//! A file read in pieces or in parts is the file read at once.

use proptest::prelude::*;
use records::{Item, LineReader, Parsed, ReadError, line_parts, parse_jsonl};

const ITEM: &str =
    r#"{"schema":"recount.item/1","item_id":"q1","kind":"binary","question":"Wï?","target":"YES"}"#;

/// Lines as a file may hold them, good and bad.
fn some_line() -> impl Strategy<Value = String> {
    let unknown = ITEM.replacen('{', r#"{"mood":{"deep":[1]},"#, 1);
    let nested = ITEM.replacen('{', r#"{"tags":{"a":"b"},"conflicts":[["x","y"]],"#, 1);
    prop_oneof![
        6 => Just(ITEM.to_owned()),
        3 => Just(nested),
        3 => Just(unknown),
        2 => Just(String::new()),
        1 => Just(" \t".to_owned()),
        1 => Just(ITEM.replace("YES", "MAYBE")),
        1 => Just(ITEM[..40].to_owned()),
        1 => Just(format!("{ITEM}{ITEM}")),
    ]
}

fn some_file() -> impl Strategy<Value = Vec<u8>> {
    let end = prop_oneof![Just("\n"), Just("\r\n")];
    let lines = prop::collection::vec((some_line(), end), 0..12);
    (any::<bool>(), lines, any::<bool>()).prop_map(|(mark, lines, whole)| {
        let mut text = if mark { "\u{feff}".to_owned() } else { String::new() };
        lines.iter().for_each(|(line, end)| text.extend([line.as_str(), *end]));
        if !whole {
            text.pop();
        }
        text.into_bytes()
    })
}

type Read = Result<(Vec<(usize, Item)>, records::UnknownFields), ReadError>;

fn in_pieces(first_line: usize, bytes: &[u8], size: usize) -> Read {
    let mut rows = Vec::new();
    let mut reader = LineReader::from_line("f", first_line);
    for piece in bytes.chunks(size) {
        reader.push(piece, |number, row| rows.push((number, row)))?;
    }
    let unknown = reader.finish(|number, row| rows.push((number, row)))?;
    Ok((rows, unknown))
}

proptest! {
    #[test]
    fn pieces_of_any_size(file in some_file(), size in 1_usize..50) {
        let whole: Result<Parsed<Item>, _> = parse_jsonl("f", &file);
        let pieces = in_pieces(1, &file, size);
        match (whole, pieces) {
            (Ok(whole), Ok((rows, unknown))) => {
                prop_assert_eq!(whole.unknown, unknown);
                let numbers: Vec<_> = rows.iter().map(|(number, _)| *number).collect();
                prop_assert!(numbers.is_sorted_by(|a, b| a < b));
                let rows: Vec<_> = rows.into_iter().map(|(_, row)| row).collect();
                prop_assert_eq!(whole.rows, rows);
            }
            (whole, pieces) => prop_assert_eq!(whole.err(), pieces.err()),
        }
    }

    #[test]
    fn parts_that_begin_at_lines(file in some_file(), n in 1_usize..6) {
        let parts = line_parts(&file, n);
        prop_assert!(parts.len() <= n);
        let joined: Vec<u8> = parts.iter().flat_map(|(_, part)| part.to_vec()).collect();
        prop_assert_eq!(&joined, &file);
        let read: Result<Vec<_>, _> =
            parts.iter().map(|(number, part)| in_pieces(*number, part, 1 << 20)).collect();
        let whole = in_pieces(1, &file, 1 << 20);
        match (read, whole) {
            (Ok(read), Ok((rows, _))) => {
                let read: Vec<_> = read.into_iter().flat_map(|(rows, _)| rows).collect();
                prop_assert_eq!(read, rows);
            }
            (read, whole) => prop_assert_eq!(read.err(), whole.err()),
        }
    }
}

#[test]
fn no_bytes_are_no_parts_and_no_rows() {
    assert!(line_parts(b"", 3).is_empty());
    assert_eq!(line_parts(b"x", 3), [(1, &b"x"[..])]);
    assert_eq!(line_parts(b"a\nb\nc\nd\n", 2), [(1, &b"a\nb\nc\n"[..]), (4, &b"d\n"[..])]);
    assert_eq!(in_pieces(1, b"", 4), Ok((Vec::new(), Default::default())));
}
