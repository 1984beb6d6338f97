use records::FieldProblem;

/// Why no results can be computed from a log and a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetricsError {
    /// The log holds no row, so there is nothing to measure and nothing to withhold.
    #[error("the log holds no row; record at least one before computing results")]
    NoRecords,
    /// A parameter of the plan is not allowed.
    #[error("`{}` {}; {}", .0.field, .0.problem, .0.remedy)]
    Plan(FieldProblem),
    /// A row breaks a rule that the reader of `records.jsonl` checks.
    #[error("row {number}, item \"{item_id}\": `{}` {}; {}", problem.field, problem.problem, problem.remedy)]
    Record {
        /// Position in the log, from 1.
        number: usize,
        /// The row's item.
        item_id: String,
        /// What is wrong.
        problem: FieldProblem,
    },
    /// Rows of two data sets stand in one log, so equal item ids need not mean equal items.
    #[error("the log mixes data sets \"{first}\" and \"{second}\"; keep one log for each")]
    MixedDatasets {
        /// The data set of the first row.
        first: String,
        /// The first other one.
        second: String,
    },
    /// A series was asked about that has no row.
    #[error("the log has no row of model \"{model}\" in arm \"{arm}\"; name one that it has")]
    NoSuchSeries {
        /// The model asked for.
        model: String,
        /// The arm asked for.
        arm: String,
    },
    /// Two rows that count disagree about the item that they belong to.
    #[error(
        "item \"{item_id}\" has `{field}` \"{first}\" in one row and \"{second}\" in another; \
         correct the rows that were copied from another version of the item"
    )]
    Contradiction {
        /// The item.
        item_id: String,
        /// What differs: `kind`, `target`, `cluster_id`, or a field that the plan slices by.
        field: String,
        /// One value.
        first: String,
        /// The other.
        second: String,
    },
}
