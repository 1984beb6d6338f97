use crate::read::FieldProblem;

/// A file format with a name and a major version, written as `"name/major"` in the `schema` field.
pub trait Versioned {
    /// Name of the format, e.g. `recount.record`.
    const NAME: &'static str;
    /// The major version that this build reads and writes.
    const MAJOR: u32 = 1;
    /// The `schema` field as read.
    fn schema(&self) -> &str;
    /// Checks what the type system cannot: ranges, and fields that depend on each other.
    ///
    /// # Errors
    /// The first field whose value is not allowed, with a remedy.
    fn check(&self) -> Result<(), FieldProblem> {
        Ok(())
    }
    /// The tag that a writer of this build puts into `schema`.
    fn tag() -> String {
        format!("{}/{}", Self::NAME, Self::MAJOR)
    }
}

/// Compares a `schema` value with the format that is `expected` and the `newest` version of it that this build reads.
///
/// # Errors
/// Another format's name, no version number, or a newer major version; the message names both versions.
pub(crate) fn check_version(schema: &str, expected: &str, newest: u32) -> Result<(), FieldProblem> {
    let problem =
        |what: String, remedy: &str| Err(FieldProblem::new("schema", what, remedy.to_owned()));
    let Some((name, major)) = schema.rsplit_once('/') else {
        return problem(
            format!("is \"{schema}\", which has no version"),
            &format!("write \"{expected}/{newest}\""),
        );
    };
    if name != expected {
        return problem(
            format!("is \"{schema}\", but this file holds \"{expected}/{newest}\""),
            "check that the right file was given",
        );
    }
    match major.parse::<u32>() {
        Ok(m) if m <= newest && m > 0 => Ok(()),
        Ok(m) if m > 0 => problem(
            format!("is version {m} of {name}, and this build reads up to version {newest}"),
            "open it with a newer Recount",
        ),
        _ => problem(
            format!("is \"{schema}\", whose version is not a positive number"),
            &format!("write \"{expected}/{newest}\""),
        ),
    }
}
