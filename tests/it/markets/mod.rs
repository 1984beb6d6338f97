//! `recount dataset markets` against a server that plays the public APIs from a made-up world.

mod illness;
mod pipeline;
mod place;
mod reviewing;
mod running;
mod server;
mod world;
