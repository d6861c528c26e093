//! The result of a scenario: a table, and the requested files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use backfill_experiment::files::report::{self, Document};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::stored::TraceName;
use backfill_experiment::study::sweep::Results;

use crate::chart;
use crate::columns;
use crate::output::Outputs;
use crate::table;

/// Which files to write of a result.
#[derive(clap::Args)]
pub(crate) struct ResultArguments {
    /// Write the whole result
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write one line for each metric of each run
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the same lines as a Parquet table
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,

    /// Write one chart for each main metric into a folder
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
}

impl ResultArguments {
    /// Checks that the files and `others` can be written and differ from `inputs`.
    pub(crate) fn outputs<'a>(
        &'a self,
        others: impl IntoIterator<Item = &'a PathBuf>,
        inputs: &[&Path],
    ) -> Result<Outputs> {
        let mine = [&self.json, &self.csv, &self.parquet].into_iter().flatten();
        let files = others.into_iter().chain(mine);
        Outputs::new(files, inputs, self.svg.as_deref())
    }

    /// Writes the files, with those that `outputs` holds already, and the table.
    pub(crate) fn write(
        &self,
        scenario: &Scenario,
        results: &Results,
        trace: Option<TraceName>,
        mut outputs: Outputs,
        out: &mut impl Write,
    ) -> Result<()> {
        let scenario = scenario.portable();
        if let Some(path) = &self.json {
            let document = Document::naming(&scenario, results, trace);
            let mut json = serde_json::to_vec_pretty(&document)?;
            json.push(b'\n');
            outputs.add(path, &json)?;
        }
        if let Some(path) = &self.csv {
            outputs.add(path, report::runs_csv(&scenario, results).as_bytes())?;
        }
        if let Some(path) = &self.parquet {
            outputs.add(path, &columns::runs(&scenario, results)?)?;
        }
        if let Some(folder) = &self.svg {
            for (name, svg) in chart::charts(&scenario, results) {
                outputs.add(&folder.join(name), svg.as_bytes())?;
            }
        }
        let to_stdout = outputs.to_stdout();
        outputs.finish()?;
        if to_stdout {
            table::print(&scenario, results, &mut io::stderr())
        } else {
            table::print(&scenario, results, out)
        }
    }
}
