//! Where the project is.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The workspace that `from` is in: the nearest folder above it whose manifest declares one.
#[must_use]
pub fn root(from: &Path) -> Option<PathBuf> {
    from.ancestors()
        .find(|folder| {
            fs::read_to_string(folder.join("Cargo.toml"))
                .is_ok_and(|manifest| manifest.lines().any(|line| line.trim() == "[workspace]"))
        })
        .map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_is_found_from_a_package_inside_it() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(root(&package.join("src")).as_deref(), package.parent());
        assert_eq!(root(Path::new("/")), None);
    }
}
