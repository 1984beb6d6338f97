//! The widest instructions that a machine has, without asking more of any machine than the build does.

/// Work that is compiled for every width of instructions. What it consists of must be marked `#[inline(always)]`: what is
/// only called is compiled for the least width.
///
/// Width changes no bit: each number is computed alone, and no two operations are ever made into one.
pub trait Kernel {
    /// Does the work.
    fn run(self);
}

/// Does the work in the widest instructions that this machine has.
#[cfg(not(target_arch = "wasm32"))]
pub fn at_full_width(kernel: impl Kernel) {
    struct Wide<K>(K);

    impl<K: Kernel> pulp::WithSimd for Wide<K> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, _: S) {
            self.0.run();
        }
    }

    pulp::Arch::new().dispatch(Wide(kernel));
}

/// Does the work: a module of wasm runs on a machine that has all its instructions, or not at all.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
pub fn at_full_width(kernel: impl Kernel) {
    kernel.run();
}
