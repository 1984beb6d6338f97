//! Drawing in several tasks, so that none keeps the reader from scrolling.

use std::time::Duration;

use leptos::prelude::*;

/// What stands between two stages.
#[derive(Clone, Copy)]
pub enum Between {
    /// Nothing: for what nobody sees before it is whole.
    Tasks,
    /// A frame, so that each stage is laid out and painted by itself.
    Frames,
}

/// Counts the stages of a drawing that are due.
#[derive(Clone, Copy)]
pub struct Stages(RwSignal<usize>);

impl Stages {
    /// All at once.
    #[must_use]
    pub fn together() -> Self {
        Self(RwSignal::new(usize::MAX))
    }

    /// One after the other, `count` of them, each in a task of its own and the first in the next one; `done` is called
    /// after the last.
    #[must_use]
    pub fn apart(count: usize, between: Between, done: impl Fn() + 'static) -> Self {
        let stages = Self(RwSignal::new(0));
        stages.go_on(count, between, done);
        stages
    }

    /// Is the stage with this number, from 0, due? To be asked inside of what is drawn.
    #[must_use]
    pub fn due(self, at: usize) -> Memo<bool> {
        Memo::new(move |_| self.0.get() > at)
    }

    /// True while something is still to come.
    #[must_use]
    pub fn busy(self) -> bool {
        self.0.get() < usize::MAX
    }

    fn go_on(self, count: usize, between: Between, done: impl Fn() + 'static) {
        let next = move || {
            // Nothing is left to draw when the reader has gone elsewhere meanwhile.
            let Some(drawn) = self.0.try_get_untracked() else { return };
            if drawn == count {
                self.0.set(usize::MAX);
                done();
            } else {
                self.0.set(drawn + 1);
                self.go_on(count, between, done);
            }
        };
        let in_a_task = move || set_timeout(next, Duration::ZERO);
        match between {
            Between::Tasks => in_a_task(),
            Between::Frames => request_animation_frame(in_a_task),
        }
    }
}
