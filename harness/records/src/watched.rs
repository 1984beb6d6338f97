//! Deserializing with an eye on where the reader is and what it ignores.
//!
//! One pass tells the value, the path of every field that the type does not know, and the path at which an error
//! occurred. Keys are not copied: those of JSON without escapes are slices of the input. Types are compiled for this one
//! reader, which matters where they are many: in the page.

use std::{borrow::Cow, cell::RefCell, fmt};

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

/// A step from a value to one inside it.
enum Step<'de> {
    Key(Cow<'de, str>),
    Index(usize),
}

/// Where the reader is, and what it has ignored so far.
#[derive(Default)]
pub(crate) struct Watch<'de> {
    steps: RefCell<Vec<Step<'de>>>,
    ignored: RefCell<Vec<String>>,
}

impl<'de> Watch<'de> {
    /// The path of the value that is being read, `a.b[2].c`; after an error that of the value it occurred in, and empty
    /// for the whole.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in &*self.steps.borrow() {
            match step {
                Step::Key(key) if path.is_empty() => path.push_str(key),
                Step::Key(key) => path.extend([".", key]),
                Step::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }

    /// Paths of the fields that were ignored, in order of occurrence.
    pub fn into_ignored(self) -> Vec<String> {
        self.ignored.into_inner()
    }

    fn ignore(&self) {
        self.ignored.borrow_mut().push(self.path());
    }

    fn enter(&self, step: Step<'de>) {
        self.steps.borrow_mut().push(step);
    }

    /// Steps back, unless what was done there failed.
    fn leave<T, E>(&self, outcome: Result<T, E>) -> Result<T, E> {
        if outcome.is_ok() {
            self.steps.borrow_mut().pop();
        }
        outcome
    }
}

/// Whatever it wraps, watched.
pub(crate) struct Watched<'w, 'de, T> {
    inner: T,
    watch: &'w Watch<'de>,
}

impl<'w, 'de, T> Watched<'w, 'de, T> {
    pub fn new(inner: T, watch: &'w Watch<'de>) -> Self {
        Self { inner, watch }
    }

    fn wrap<U>(&self, inner: U) -> Watched<'w, 'de, U> {
        Watched { inner, watch: self.watch }
    }
}

macro_rules! forward {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            let visitor = self.wrap(visitor);
            self.inner.$method(visitor)
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Watched<'_, 'de, D> {
    type Error = D::Error;

    forward! {
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32
        deserialize_i64 deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32
        deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char
        deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf
        deserialize_option deserialize_unit deserialize_seq deserialize_map
        deserialize_identifier
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.watch.ignore();
        self.inner.deserialize_ignored_any(visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.wrap(visitor);
        self.inner.deserialize_unit_struct(name, visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.wrap(visitor);
        self.inner.deserialize_newtype_struct(name, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.wrap(visitor);
        self.inner.deserialize_tuple(len, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.wrap(visitor);
        self.inner.deserialize_tuple_struct(name, len, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = Fields(self.wrap(visitor));
        self.inner.deserialize_struct(name, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.wrap(visitor);
        self.inner.deserialize_enum(name, variants, visitor)
    }
}

macro_rules! hand_on {
    ($($method:ident: $value:ty,)*) => {
        $(fn $method<E: Error>(self, value: $value) -> Result<V::Value, E> {
            self.inner.$method(value)
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Watched<'_, 'de, V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(formatter)
    }

    hand_on! {
        visit_bool: bool,
        visit_i64: i64,
        visit_i128: i128,
        visit_u64: u64,
        visit_u128: u128,
        visit_f64: f64,
        visit_char: char,
        visit_str: &str,
        visit_borrowed_str: &'de str,
        visit_string: String,
        visit_bytes: &[u8],
        visit_borrowed_bytes: &'de [u8],
        visit_byte_buf: Vec<u8>,
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        let value = self.wrap(value);
        self.inner.visit_some(value)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        let value = self.wrap(value);
        self.inner.visit_newtype_struct(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        let list = List { inner: list, next: 0, watch: self.watch };
        self.inner.visit_seq(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        let map = Map { inner: map, key: None, watch: self.watch };
        self.inner.visit_map(map)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<V::Value, A::Error> {
        let data = self.wrap(data);
        self.inner.visit_enum(data)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Watched<'_, 'de, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<S::Value, D::Error> {
        let value = self.wrap(value);
        self.inner.deserialize(value)
    }
}

/// The visitor of a struct, which takes an object alone. By itself it would take a list of the fields' values, too; no
/// schema allows that, and it would nearly double the code of every type.
struct Fields<'w, 'de, V>(Watched<'w, 'de, V>);

impl<'de, V: Visitor<'de>> Visitor<'de> for Fields<'_, 'de, V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(formatter)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(map)
    }
}

/// A list whose places are counted.
struct List<'w, 'de, A> {
    inner: A,
    next: usize,
    watch: &'w Watch<'de>,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for List<'_, 'de, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.watch.enter(Step::Index(self.next));
        self.next += 1;
        let seed = Watched::new(seed, self.watch);
        self.watch.leave(self.inner.next_element_seed(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// A map whose last key is remembered.
struct Map<'w, 'de, A> {
    inner: A,
    key: Option<Cow<'de, str>>,
    watch: &'w Watch<'de>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Map<'_, 'de, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let seed = Remembering { inner: seed, key: &mut self.key };
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.watch.enter(Step::Key(self.key.take().unwrap_or_default()));
        let seed = Watched::new(seed, self.watch);
        self.watch.leave(self.inner.next_value_seed(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// A key that is remembered while it is read.
struct Remembering<'k, 'de, T> {
    inner: T,
    key: &'k mut Option<Cow<'de, str>>,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Remembering<'_, 'de, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Remembering { inner: key, key: self.key })
    }
}

macro_rules! any_key {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method(Remembering { inner: visitor, key: self.key })
        })*
    };
}

/// Keys of JSON are texts, whatever a type asks for.
impl<'de, D: Deserializer<'de>> Deserializer<'de> for Remembering<'_, 'de, D> {
    type Error = D::Error;

    any_key! { deserialize_any deserialize_str deserialize_string deserialize_identifier }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum ignored_any
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Remembering<'_, 'de, V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(formatter)
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<V::Value, E> {
        *self.key = Some(Cow::Owned(key.to_owned()));
        self.inner.visit_str(key)
    }

    fn visit_borrowed_str<E: Error>(self, key: &'de str) -> Result<V::Value, E> {
        *self.key = Some(Cow::Borrowed(key));
        self.inner.visit_borrowed_str(key)
    }
}

impl<'de, 'w, A: EnumAccess<'de>> EnumAccess<'de> for Watched<'w, 'de, A> {
    type Error = A::Error;
    type Variant = Watched<'w, 'de, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let (name, variant) = self.inner.variant_seed(seed)?;
        Ok((name, Watched { inner: variant, watch: self.watch }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Watched<'_, 'de, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.wrap(seed);
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor);
        self.inner.tuple_variant(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = Fields(self.wrap(visitor));
        self.inner.struct_variant(fields, visitor)
    }
}
