//! From a scenario to its link and back.

use std::io::{self, Write};

use anyhow::{Result, bail};
use backfill_experiment::language::scenario::link::{self, Extras, LinkError};
use backfill_experiment::language::scenario::text;

use crate::scenario::ScenarioArguments;
use crate::short_link;

/// A link to open.
#[derive(clap::Args)]
pub(crate) struct OpenArguments {
    /// An address with a scenario in it, or only the part from its `#` on; put it in quotes
    #[arg(value_name = "LINK")]
    link: String,
}

/// `backfill link`.
pub(crate) fn link(arguments: &ScenarioArguments, out: &mut impl Write) -> Result<()> {
    let (scenario, extras) = (arguments.read()?.0, Extras::default());
    let link = match link::write(&scenario, &extras) {
        Err(LinkError::TooLong(_)) => {
            let plain = link::write_unpacked(&scenario, &extras)?;
            let short = short_link::short(&plain)?;
            let (plain, packed) = (plain.len(), short.len());
            writeln!(
                io::stderr(),
                "the plain link has {plain} characters, which many programs cut: \
                 this is its short form, with {packed}"
            )?;
            short
        }
        link => link?,
    };
    Ok(writeln!(out, "{link}")?)
}

/// `backfill open`.
pub(crate) fn open(arguments: &OpenArguments, out: &mut impl Write) -> Result<()> {
    let fragment = match arguments.link.find('#') {
        Some(start) => arguments.link[start..].to_owned(),
        None => format!("#{}", arguments.link),
    };
    let Some((scenario, extras)) = link::read(&short_link::plain(fragment)?)? else {
        bail!("there is no scenario in this address: nothing follows its #");
    };
    if extras.typed {
        let doubt = "this link has no checksum: if somebody sent it, its end may be missing";
        writeln!(io::stderr(), "{doubt}")?;
    }
    let mut toml = text::write(&scenario);
    if toml.is_empty() {
        toml.push_str("# every key has its default\n");
    }
    Ok(write!(out, "{toml}")?)
}
