//! Zip archives, as a reader's own program makes them of a run's folder.

use std::io::{self, Write};

use flate2::{Compression, Crc, write::DeflateEncoder};

/// An archive of files by path, each of them packed.
///
/// # Errors
/// A file is larger than such an archive holds.
pub fn zip(files: &[(String, &[u8])]) -> io::Result<Vec<u8>> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (path, bytes) in files {
        let header = size(out.len())?;
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::default());
        packer.write_all(bytes)?;
        let packed = packer.finish()?;
        let mut sum = Crc::new();
        sum.update(bytes);
        // Version 2.0, no flags, deflate, no time; then what both headers say of the file.
        let mut said = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0];
        for number in [sum.sum(), size(packed.len())?, size(bytes.len())?, size(path.len())?] {
            said.extend(number.to_le_bytes());
        }
        out.extend(*b"PK\x03\x04");
        out.extend(&said);
        out.extend(path.as_bytes());
        out.extend(&packed);
        directory.extend(*b"PK\x01\x02\x14\x00");
        directory.extend(&said);
        directory.extend([0; 10]);
        directory.extend(header.to_le_bytes());
        directory.extend(path.as_bytes());
    }
    let count = u16::try_from(files.len()).map_err(io::Error::other)?.to_le_bytes();
    let (offset, length) = (size(out.len())?, size(directory.len())?);
    out.append(&mut directory);
    out.extend(*b"PK\x05\x06\0\0\0\0");
    out.extend(count);
    out.extend(count);
    out.extend(length.to_le_bytes());
    out.extend(offset.to_le_bytes());
    out.extend([0, 0]);
    Ok(out)
}

fn size(length: usize) -> io::Result<u32> {
    u32::try_from(length).map_err(io::Error::other)
}
