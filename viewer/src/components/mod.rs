//! Parts of pages. None of them fetches.

pub mod banner;
pub mod chart_canvas;
pub mod data_table;
pub mod figure;
pub mod legend;
pub mod nav;
pub mod opener;
pub mod problem;
pub mod results_table;
pub mod save;
pub mod settings_form;
pub mod staged;
pub mod table_tools;
