//! Figures that are scenarios: curves of one metric, under one or several readings of the text.

use std::collections::BTreeSet;
use std::fmt;

use super::claim::{
    self, Claim, Evidence, Finding, Judged, Outcome, Quorum, Rule, Side, inside, inside_words,
};
use super::ran::Stated;
use super::{Figure, Kind, Run, lowering};
use backfill_experiment::scenario::link::{self, Extras, LinkError};
use backfill_experiment::scenario::{KEYS, PolicySpec, Scenario};
use backfill_experiment::sweep::Results;
use backfill_sim::metrics::{self, Better, METRICS, Metric};
use backfill_sim::place::Placement;
use backfill_sim::stats::estimate;
use backfill_sim::workload::Trace;

/// A key and its value.
pub type Pair = (&'static str, &'static str);

/// A figure that is a scenario.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// What is simulated; policies and x are among it, the workload too unless a log brings it.
    pub pairs: &'static [Pair],
    /// What a quick run has in place of that, where all of it would take too long: fewer jobs, or
    /// fewer values of x.
    pub quick: &'static [Pair],
    /// How many jobs the text has.
    pub stated: Stated,
    /// The log that the jobs come from.
    pub log: Option<&'static Log>,
    /// What is drawn.
    pub metric: &'static str,
    /// Whether the curves lie too far apart for an even scale.
    pub logarithmic: bool,
    /// Keys that the text leaves open; every combination is a reading.
    pub switches: &'static [Switch],
    /// What the text says.
    pub claims: &'static [Claim<Check>],
}

impl Sweep {
    /// Curves of generated jobs on an even scale, about which the text leaves nothing open.
    pub(super) const fn plain(
        [pairs, quick]: [&'static [Pair]; 2],
        metric: &'static str,
        claims: &'static [Claim<Check>],
    ) -> Sweep {
        Sweep {
            pairs,
            quick,
            stated: Stated::Unstated,
            log: None,
            metric,
            logarithmic: false,
            switches: &[],
            claims,
        }
    }

    /// The figure that it makes.
    pub(super) const fn figure(
        self,
        [id, place, title]: [&'static str; 3],
        caption: &'static str,
    ) -> Figure {
        Figure {
            id,
            place,
            title,
            caption,
            kind: Kind::Sweep(self),
        }
    }
}

/// A workload log that a figure is drawn from. It is published and may not be copied here.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    /// What it is called.
    pub title: &'static str,
    /// The name of its file as it is published.
    pub file: &'static str,
    /// SHA-256 of the decompressed file.
    pub sha256: &'static str,
    /// How many of its first jobs are taken.
    pub first: &'static str,
    /// Generated jobs that stand in for it: as many, of the same mean runtime, with sizes of the same
    /// kind and mean or range.
    pub look_alike: &'static [Pair],
}

/// Where the Parallel Workloads Archive publishes its logs.
pub const ARCHIVE: &str = "https://www.cs.huji.ac.il/labs/parallel/workload/";

/// Where the jobs of a figure come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkloadFrom {
    /// The log that the text names, or the laws that it states.
    Log,
    /// Generated jobs that stand in for the log.
    LookAlike,
}

impl WorkloadFrom {
    /// The log where there is its trace.
    pub fn of(trace: Option<&Trace>) -> WorkloadFrom {
        match trace {
            Some(_) => WorkloadFrom::Log,
            None => WorkloadFrom::LookAlike,
        }
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            WorkloadFrom::Log => "as stated",
            WorkloadFrom::LookAlike => "look-alike",
        }
    }
}

impl Log {
    fn pairs(&self, from: WorkloadFrom) -> Vec<(&'static str, &'static str)> {
        match from {
            WorkloadFrom::LookAlike => self.look_alike.to_vec(),
            WorkloadFrom::Log => vec![
                ("workload", "swf"),
                ("file", self.file),
                ("sha256", self.sha256),
                ("first", self.first),
            ],
        }
    }

    /// A scenario of its jobs and nothing else.
    pub fn scenario(&self, from: WorkloadFrom) -> Scenario {
        let fixed = [("x", "none"), ("policy", "none")];
        let pairs = self.pairs(from).into_iter().chain(fixed);
        Scenario::parse(pairs).expect("the tables hold valid scenarios")
    }
}

/// A key that the text leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// The key.
    pub key: &'static str,
    /// What it may mean; the first is the default reading.
    pub values: &'static [&'static str],
}

/// One way to read what a figure leaves open: a value for each switch; none where nothing is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading(pub Vec<Pair>);

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> = self
            .0
            .iter()
            .map(|(key, value)| format!("{key} = {value}"))
            .collect();
        f.write_str(&pairs.join(", "))
    }
}

/// How many replications stand behind a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A few.
    Quick,
    /// Enough for narrow intervals.
    Full,
}

impl Effort {
    /// Both.
    pub const ALL: [Effort; 2] = [Effort::Quick, Effort::Full];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Quick => "quick",
            Effort::Full => "full",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Effort> {
        Effort::ALL.into_iter().find(|effort| effort.name() == name)
    }

    /// The number of replications.
    pub fn replications(self) -> u32 {
        match self {
            Effort::Quick => 5,
            Effort::Full => 20,
        }
    }
}

/// How often a comparison must come out for the claim, over the values of x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Wherever there is a difference: the text says *always*.
    Always,
    /// At more than half of the values with a difference, and nowhere against it: the text says so
    /// without *always* and without exceptions.
    Generally,
    /// At more than half of the values: the text says *in most cases* or *overall*.
    Mostly,
    /// Everywhere but at this value, where it comes out against it.
    AllBut(&'static str),
}

impl Extent {
    fn quorum(self) -> Quorum {
        match self {
            Extent::Always | Extent::AllBut(_) => Quorum::All,
            Extent::Generally => Quorum::Undisputed,
            Extent::Mostly => Quorum::Most,
        }
    }
}

/// What can be said of curves. Policies go by their names in the scenario; a policy *leads* by how
/// much its metric is better.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Each of these policies leads each of those.
    Better {
        /// The ones said to be better.
        policies: &'static [&'static str],
        /// The ones said to be worse.
        than: &'static [&'static str],
        /// At which values of x.
        extent: Extent,
    },
    /// There is no x at which the policy is worse than the other.
    NeverWorse {
        /// The one said to be no worse.
        policy: &'static str,
        /// The other.
        than: &'static str,
    },
    /// The line fitted to the policy's lead over each of the others rises with x.
    LeadGrows {
        /// The one said to lead.
        policy: &'static str,
        /// The others.
        than: &'static [&'static str],
    },
    /// The line fitted to the policy's lead over each of the others falls with x.
    LeadShrinks {
        /// The one said to lead.
        policy: &'static str,
        /// The others.
        than: &'static [&'static str],
    },
    /// The line fitted to the metric of each policy falls with x.
    Falls {
        /// The policies.
        policies: &'static [&'static str],
    },
    /// The line fitted to the metric of each policy rises with x.
    Rises {
        /// The policies.
        policies: &'static [&'static str],
    },
    /// The metric of each policy rises from every value of x to the next.
    RisesSteadily {
        /// The policies.
        policies: &'static [&'static str],
    },
    /// The metric of each policy rises with x, and ever more quickly: so do the line and the parabola
    /// fitted to it.
    RisesEverFaster {
        /// The policies.
        policies: &'static [&'static str],
    },
    /// The metric of each policy rises more quickly after a value of x than before: the line fitted to
    /// it from there on is steeper than that up to there.
    Steeper {
        /// The policies.
        policies: &'static [&'static str],
        /// The value of x.
        after: &'static str,
    },
    /// At that x the policy's lead over the other lies in a range.
    LeadAt {
        /// The one said to lead.
        policy: &'static str,
        /// The other.
        than: &'static str,
        /// A value of x.
        x: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// At no x the policy leads one of the others by so much.
    LeadBelow {
        /// The one said to lead.
        policy: &'static str,
        /// The others.
        than: &'static [&'static str],
        /// The lead that is not reached.
        limit: f64,
    },
    /// The largest lead of one of the policies over the other, over all x, lies in a range.
    LargestLead {
        /// The ones said to lead.
        policies: &'static [&'static str],
        /// The other.
        than: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// At that x the largest lead of one of the policies over the other, in per cent of the other's
    /// metric, lies in a range.
    RelativeLeadAt {
        /// The ones said to lead.
        policies: &'static [&'static str],
        /// The other.
        than: &'static str,
        /// A value of x.
        x: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// These policies lie closer together than the worst of them is to the reference.
    Close {
        /// The ones said to be alike.
        policies: &'static [&'static str],
        /// The one that is said to be far from them.
        reference: &'static str,
        /// At which values of x.
        extent: Extent,
    },
    /// The greatest mean of a metric, over policies and x and times a factor, lies in a range.
    Peak {
        /// The metric.
        metric: &'static str,
        /// Whose curves.
        policies: &'static [&'static str],
        /// What it is multiplied by.
        factor: f64,
        /// The unit of the product.
        unit: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// In no run of one of the policies a metric, times a factor, exceeds a limit.
    Never {
        /// The metric.
        metric: &'static str,
        /// Whose runs.
        policies: &'static [&'static str],
        /// What it is multiplied by.
        factor: f64,
        /// The unit of the product.
        unit: &'static str,
        /// The limit.
        above: f64,
    },
    /// The share by which the policy lowers the metric of the other, summed over x, is larger than in
    /// another figure.
    GainLargerThan {
        /// The other figure.
        beside: &'static str,
        /// The one said to gain.
        policy: &'static str,
        /// The other.
        than: &'static str,
    },
    /// At every x the metric of each policy is larger than in another figure.
    LargerThan {
        /// The other figure.
        beside: &'static str,
        /// The policies.
        policies: &'static [&'static str],
    },
    /// The policy lowers the metric of the other by so many per cent: the average over all x, here and
    /// in other figures.
    Lowers {
        /// The other figures, under the readings at the same positions.
        among: &'static [&'static str],
        /// The one said to lower it.
        policy: &'static str,
        /// The other.
        than: &'static str,
        /// By how much.
        percent: f64,
    },
    /// At that x the metric of the policy, times a factor, lies in a range.
    MeanAt {
        /// The policy.
        policy: &'static str,
        /// A value of x.
        x: &'static str,
        /// What it is multiplied by.
        factor: f64,
        /// The unit of the product.
        unit: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// Where the policy ceases to be better than the other, its value of a metric, interpolated
    /// between the values of x on either side, lies in a range. It is open while some replication never
    /// gets there.
    Crossing {
        /// The one that is better at first.
        policy: &'static str,
        /// The other.
        than: &'static str,
        /// The metric.
        of: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// Over all x the metric of each policy exceeds its smallest value by at most this share.
    Flat {
        /// The policies.
        policies: &'static [&'static str],
        /// The share.
        at_most: f64,
    },
    /// The policy and the other are the same everywhere.
    Same {
        /// The one.
        policy: &'static str,
        /// The other.
        than: &'static str,
    },
    /// The policy does better at one value of x than at any other.
    LowestAt {
        /// The policy.
        policy: &'static str,
        /// The value of x.
        x: &'static str,
    },
    /// Something is so of another metric than the one that the figure shows.
    Of {
        /// The other metric.
        metric: &'static str,
        /// What is said of it.
        check: &'static Check,
    },
    /// Something is so from one value of x to another; beyond them nothing is said.
    Within {
        /// The first and the last value of x.
        x: [&'static str; 2],
        /// What is said of them.
        check: &'static Check,
    },
    /// No correct simulation can refute it.
    Certain {
        /// What is looked at all the same.
        check: &'static Check,
        /// Why that is so: a sentence.
        because: &'static str,
    },
}

impl Rule for Check {
    fn rule(&self) -> String {
        let each = |subject: &str, quorum: Quorum| format!("{subject} {}.", quorum.words());
        let inside = |subject: &str, range: [f64; 2], unit: &str| {
            format!("{subject} {}", inside_words(&printed_range(range, unit)))
        };
        let points = |range: [f64; 2]| range.map(|share| 100.0 * share);
        match *self {
            Check::Better { extent, .. } => {
                let turned = match extent {
                    Extent::AllBut(x) => format!(", that at {x} turned around,"),
                    _ => String::new(),
                };
                let subject = format!("The least lead at each value of x{turned}");
                each(&subject, extent.quorum())
            }
            Check::NeverWorse { .. } => each("The lead at each value of x", Quorum::NoneAgainst),
            Check::LeadGrows { .. } => each(
                "The rise with x of the line fitted to each lead",
                Quorum::All,
            ),
            Check::LeadShrinks { .. } => each(
                "The fall with x of the line fitted to each lead",
                Quorum::All,
            ),
            Check::Falls { .. } => each(
                "The fall with x of the line fitted to each curve",
                Quorum::All,
            ),
            Check::Rises { .. } => each(
                "The rise with x of the line fitted to each curve",
                Quorum::All,
            ),
            Check::RisesSteadily { .. } => each(
                "The rise of each curve from every value of x to the next",
                Quorum::All,
            ),
            Check::RisesEverFaster { .. } => each(
                "The rise with x of the line fitted to each curve, and how far the parabola fitted to it \
                 sags in the middle,",
                Quorum::All,
            ),
            Check::Steeper { after, .. } => each(
                &format!(
                    "The slope of the line fitted to each curve from {after} on, less that up to {after},"
                ),
                Quorum::All,
            ),
            Check::LeadAt { x, range, .. } => {
                inside(&format!("The lead at {x}"), points(range), "points")
            }
            Check::LeadBelow { limit, .. } => inside(
                "The largest lead at each value of x",
                points([f64::NEG_INFINITY, limit]),
                "points",
            ),
            Check::LargestLead { range, .. } => {
                inside("The largest mean lead at any x", points(range), "points")
            }
            Check::RelativeLeadAt { x, range, .. } => inside(
                &format!("The largest lead at {x}, as a share of what it leads over,"),
                range,
                "%",
            ),
            Check::Close { extent, .. } => each(
                "At each value of x what the reference is away from the worst of these policies, less what \
                 they are apart,",
                extent.quorum(),
            ),
            Check::Peak { range, unit, .. } => {
                inside("The greatest mean of any policy at any x", range, unit)
            }
            Check::Never { above, unit, .. } => {
                let limit = printed_range([f64::NEG_INFINITY, above], unit);
                format!("The greatest value in any replication must be {limit}; any above refutes the claim.")
            }
            Check::GainLargerThan { .. } => each(
                "The gain over all x here, less that in the other figure,",
                Quorum::All,
            ),
            Check::LargerThan { .. } => each(
                "At each value of x the least difference of a policy here to itself in the other figure",
                Quorum::All,
            ),
            Check::MeanAt { x, range, unit, .. } => {
                inside(&format!("The mean at {x}"), range, unit)
            }
            Check::Crossing { range, .. } => inside(
                "Where the curves cross, which they must in every replication, the value",
                range,
                "",
            ),
            Check::Flat { at_most, .. } => inside(
                "The largest difference of each curve over x, as a share of its least value,",
                [f64::NEG_INFINITY, 100.0 * at_most],
                "%",
            ),
            Check::Same { .. } => {
                "The lead at each value of x must be zero in every replication; any other refutes the claim."
                    .to_owned()
            }
            Check::LowestAt { x, .. } => each(
                &format!("The difference of every other value of x to {x}"),
                Quorum::All,
            ),
            Check::Lowers { percent, .. } => format!(
                "The average of the relative lowering over all values of x of all figures named: its whole 95 % \
                 interval must lie within a tenth of {percent} %; one that lies wholly outside refutes the claim."
            ),
            Check::Of { check, .. } => check.rule(),
            Check::Within { x: [from, to], check } => {
                format!("From {from} to {to} alone: {}", check.rule())
            }
            Check::Certain { because, .. } => because.to_owned(),
        }
    }

    fn by_construction(&self) -> bool {
        matches!(self, Check::Certain { .. })
    }
}

/// A range in words.
fn printed_range([low, high]: [f64; 2], unit: &str) -> String {
    let number = |value: f64| {
        let digits = format!("{value:.6}");
        digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned()
    };
    let words = match low == f64::NEG_INFINITY {
        true => format!("at most {} {unit}", number(high)),
        false => format!("{} to {} {unit}", number(low), number(high)),
    };
    words.trim_end().to_owned()
}

impl Check {
    /// The other figure that it compares with.
    pub(super) fn beside(&self) -> Option<&'static str> {
        match *self {
            Check::GainLargerThan { beside, .. } | Check::LargerThan { beside, .. } => Some(beside),
            Check::Of { check, .. }
            | Check::Within { check, .. }
            | Check::Certain { check, .. } => check.beside(),
            _ => None,
        }
    }

    /// The other figures with which it takes an average.
    pub(super) fn among(&self) -> &'static [&'static str] {
        match *self {
            Check::Lowers { among, .. } => among,
            Check::Of { check, .. }
            | Check::Within { check, .. }
            | Check::Certain { check, .. } => check.among(),
            _ => &[],
        }
    }

    /// The values of x that it names.
    #[cfg(test)]
    fn x(&self) -> Vec<&'static str> {
        match *self {
            Check::LeadAt { x, .. }
            | Check::LowestAt { x, .. }
            | Check::RelativeLeadAt { x, .. }
            | Check::MeanAt { x, .. }
            | Check::Steeper { after: x, .. }
            | Check::Better {
                extent: Extent::AllBut(x),
                ..
            } => vec![x],
            Check::Within { x, check } => [x.to_vec(), check.x()].concat(),
            Check::Of { check, .. } | Check::Certain { check, .. } => check.x(),
            _ => Vec::new(),
        }
    }

    /// The metric that it names.
    #[cfg(test)]
    fn metric(&self) -> Option<&'static str> {
        match *self {
            Check::Of { metric, .. }
            | Check::Peak { metric, .. }
            | Check::Never { metric, .. }
            | Check::Crossing { of: metric, .. } => Some(metric),
            Check::Within { check, .. } | Check::Certain { check, .. } => check.metric(),
            _ => None,
        }
    }

    /// Whether it judges leads by ranges in points.
    #[cfg(test)]
    fn in_points(&self) -> bool {
        match *self {
            Check::LeadAt { .. } | Check::LeadBelow { .. } | Check::LargestLead { .. } => true,
            Check::Within { check, .. } | Check::Certain { check, .. } => check.in_points(),
            _ => false,
        }
    }

    /// The policies that it names.
    #[cfg(test)]
    fn names(&self) -> Vec<&'static str> {
        match *self {
            Check::Better { policies, than, .. } => [policies, than].concat(),
            Check::NeverWorse { policy, than }
            | Check::LeadAt { policy, than, .. }
            | Check::Crossing { policy, than, .. }
            | Check::Same { policy, than }
            | Check::Lowers { policy, than, .. }
            | Check::GainLargerThan { policy, than, .. } => vec![policy, than],
            Check::LeadGrows { policy, than }
            | Check::LeadShrinks { policy, than }
            | Check::LeadBelow { policy, than, .. } => [&[policy], than].concat(),
            Check::LargestLead { policies, than, .. }
            | Check::RelativeLeadAt { policies, than, .. } => [policies, &[than]].concat(),
            Check::Of { check, .. }
            | Check::Within { check, .. }
            | Check::Certain { check, .. } => check.names(),
            Check::LowestAt { policy, .. } | Check::MeanAt { policy, .. } => vec![policy],
            Check::Falls { policies }
            | Check::Rises { policies }
            | Check::RisesSteadily { policies }
            | Check::RisesEverFaster { policies }
            | Check::Steeper { policies, .. }
            | Check::Flat { policies, .. }
            | Check::Peak { policies, .. }
            | Check::Never { policies, .. }
            | Check::LargerThan { policies, .. } => policies.to_vec(),
            Check::Close {
                policies,
                reference,
                ..
            } => [policies, &[reference]].concat(),
        }
    }
}

impl Sweep {
    /// The metric over whose means it is drawn, in place of x: the one by whose values its claims say
    /// where curves cross.
    pub fn over(&self) -> Option<&'static str> {
        self.claims.iter().find_map(|claim| match claim.check {
            Check::Crossing { of, .. } => Some(of),
            _ => None,
        })
    }

    /// Every reading, the default one first.
    pub fn readings(&self) -> Vec<Reading> {
        let mut readings = vec![Reading::default()];
        for switch in self.switches {
            readings = readings
                .iter()
                .flat_map(|reading| {
                    switch.values.iter().map(|value| {
                        let mut pairs = reading.0.clone();
                        pairs.push((switch.key, *value));
                        Reading(pairs)
                    })
                })
                .collect();
        }
        readings
    }

    /// The scenario of a reading.
    ///
    /// # Panics
    /// The figure's pairs are no valid scenario, which a test excludes.
    pub fn scenario(&self, reading: &Reading, effort: Effort, from: WorkloadFrom) -> Scenario {
        Scenario::parse(self.all_pairs(reading, effort, from))
            .expect("the tables hold valid scenarios")
    }

    /// The link that opens a reading with its metric in view.
    ///
    /// # Errors
    /// It has too many characters.
    pub fn link(
        &self,
        reading: &Reading,
        effort: Effort,
        from: WorkloadFrom,
    ) -> Result<String, LinkError> {
        let mut pairs = self.all_pairs(reading, effort, from);
        pairs.push(("metric", self.metric.to_owned()));
        let scenario = Scenario::parse(pairs).expect("the tables hold valid scenarios");
        link::write(&scenario, &Extras::default())
    }

    /// The link that opens the figure as heatmaps over x and the key in which alone its policies differ, if
    /// there is one.
    ///
    /// # Errors
    /// It has too many characters.
    pub fn surface_link(&self, effort: Effort) -> Option<Result<String, LinkError>> {
        let reading = Reading::default();
        let mut pairs = self.all_pairs(&reading, effort, WorkloadFrom::Log);
        let surface = Surface::of(&self.scenario(&reading, effort, WorkloadFrom::Log))?;
        pairs.retain(|(key, _)| *key != "policy");
        pairs.push(("policy", surface.policy.to_string()));
        pairs.push(("y", format!("{}:{}", surface.key, surface.values.join(","))));
        pairs.push(("metric", self.metric.to_owned()));
        let scenario = Scenario::parse(pairs).expect("the tables hold valid scenarios");
        Some(link::write(&scenario, &Extras::default()))
    }

    fn all_pairs(
        &self,
        reading: &Reading,
        effort: Effort,
        from: WorkloadFrom,
    ) -> Vec<(&'static str, String)> {
        let workload = self.log.map_or(Vec::new(), |log| log.pairs(from));
        let instead = match effort {
            Effort::Quick => self.quick,
            Effort::Full => &[],
        };
        let replaced = |pair: &&Pair| instead.iter().any(|other| other.0 == pair.0);
        let stated = self.pairs.iter().filter(|pair| !replaced(pair));
        let given = stated.chain(instead).chain(&workload).chain(&reading.0);
        let mut pairs: Vec<(&str, String)> =
            given.map(|&(key, value)| (key, value.to_owned())).collect();
        pairs.push(("reps", effort.replications().to_string()));
        pairs
    }

    /// Panics where a claim names what the scenario does not have.
    #[cfg(test)]
    pub(super) fn check(&self, scenario: &Scenario) {
        assert!(metrics::position(self.metric).is_some(), "{}", self.metric);
        let names: Vec<String> = scenario
            .policies()
            .iter()
            .map(ToString::to_string)
            .collect();
        for claim in self.claims {
            for name in claim.check.names() {
                assert!(
                    names.iter().any(|known| known == name),
                    "{}: {name}",
                    claim.id
                );
            }
            for x in claim.check.x() {
                let axis = scenario.x().expect("it sweeps");
                assert!(
                    axis.values.iter().any(|value| value == x),
                    "{}: {x}",
                    claim.id
                );
            }
            if claim.check.in_points() {
                let metric = metrics::position(self.metric).map(|metric| &METRICS[metric]);
                assert_eq!(
                    metric.map(|metric| metric.unit),
                    Some("share"),
                    "{}",
                    claim.id
                );
            }
            if let Some(metric) = claim.check.metric() {
                assert!(
                    metrics::position(metric).is_some(),
                    "{}: {metric}",
                    claim.id
                );
            }
        }
    }

    /// Judges every claim under every reading, with policies as the paper calls them; `find` gives other
    /// figures and their runs.
    pub(super) fn judge<'a>(
        &self,
        runs: &'a [Run],
        called: &'static [Pair],
        find: impl Fn(&str) -> Option<(Sweep, &'a [Run])>,
    ) -> Vec<Judged> {
        let readings: Vec<Reading> = runs.iter().map(|run| run.reading.clone()).collect();
        let judge = |claim: &Claim<Check>| {
            let beside = claim.check.beside().map(|id| (id, find(id)));
            let among: Vec<_> = claim
                .check
                .among()
                .iter()
                .map(|id| (*id, find(id)))
                .collect();
            let finding = |(position, run): (usize, &Run)| {
                let others = among.iter().filter_map(|&(id, found)| {
                    let (other, runs) = found?;
                    Some((id, Curves::of(other.metric, &runs[position])))
                });
                let here = Curves {
                    called,
                    among: others.collect(),
                    ..Curves::of(self.metric, run)
                };
                let (outcome, evidence) = match beside {
                    None => here.judge(&claim.check, None),
                    Some((_, Some((other, runs)))) => {
                        let there = Curves::of(other.metric, &runs[position]);
                        here.judge(&claim.check, Some(&there))
                    }
                    Some((_, None)) => (Outcome::Undecided, Vec::new()),
                };
                Finding {
                    reading: run.reading.to_string(),
                    outcome,
                    evidence,
                }
            };
            let findings = runs.iter().enumerate().map(finding).collect();
            claim.judged(findings, |held| self.under(&readings, held))
        };
        self.claims.iter().map(judge).collect()
    }

    /// The readings at these positions in words: by the switches that matter where they, or all others,
    /// are the combinations of some values; otherwise how many they are.
    fn under(&self, readings: &[Reading], held: &[usize]) -> String {
        let others: Vec<usize> = (0..readings.len())
            .filter(|position| !held.contains(position))
            .collect();
        if let Some(words) = self.combinations(readings, held) {
            words
        } else if let Some(words) = self.combinations(readings, &others) {
            format!("all readings but {words}")
        } else {
            format!("{} of {} readings", held.len(), readings.len())
        }
    }

    /// The readings at these positions as the values that they combine, if they are all combinations.
    fn combinations(&self, readings: &[Reading], positions: &[usize]) -> Option<String> {
        let values = |place: usize| -> Vec<&str> {
            let taken: BTreeSet<&str> = positions
                .iter()
                .map(|&position| readings[position].0[place].1)
                .collect();
            let known = self.switches[place].values.iter().copied();
            known.filter(|value| taken.contains(value)).collect()
        };
        let values: Vec<Vec<&str>> = (0..self.switches.len()).map(values).collect();
        if values.iter().map(Vec::len).product::<usize>() != positions.len() {
            return None;
        }
        let restricted = self.switches.iter().zip(&values);
        let restricted = restricted.filter(|(switch, values)| values.len() < switch.values.len());
        let parts: Vec<String> = restricted
            .map(|(switch, values)| format!("{} = {}", switch.key, values.join(" or ")))
            .collect();
        Some(parts.join(", "))
    }
}

/// Curves that are cuts through a surface: of one policy, by x and by a key of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    /// The policy without that key.
    pub policy: PolicySpec,
    /// The key.
    pub key: &'static str,
    /// Its value in each curve.
    pub values: Vec<String>,
}

impl Surface {
    /// From how many curves on they are one.
    const LEAST: usize = 4;

    /// The surface of a scenario whose policies differ in nothing but one key, which could be swept.
    pub fn of(scenario: &Scenario) -> Option<Surface> {
        let (first, policies) = (scenario.policies().first()?, scenario.policies());
        if policies.len() < Surface::LEAST {
            return None;
        }
        let without = |policy: &PolicySpec, key: &str| {
            let mut policy = policy.clone();
            policy.own.retain(|(other, _)| *other != key);
            policy
        };
        let keys = first.own.iter().map(|&(key, _)| key);
        let mut keys = keys.filter(|name| KEYS.iter().any(|key| key.name == *name && key.sweep));
        keys.find_map(|key| {
            let policy = without(first, key);
            let value = |other: &PolicySpec| {
                let own = other.own.iter().find(|(name, _)| *name == key)?;
                (without(other, key) == policy).then(|| own.1.clone())
            };
            let values: Option<Vec<String>> = policies.iter().map(value).collect();
            Some(Surface {
                policy,
                key,
                values: values?,
            })
        })
    }
}

/// How a reader knows a policy of a figure: by what tells it from the others, and as a paper calls it
/// whose words for scheduling policies are `called`.
pub fn label(scenario: &Scenario, policy: usize, called: &[Pair]) -> String {
    let policies = scenario.policies();
    let policy = &policies[policy];
    let system = scenario.system();
    let usual = Placement::default_on(system);
    let one_queue = policies.iter().all(|other| other.queue == policy.queue);
    let as_usual = policies.iter().all(|other| other.placement == usual);
    let name = match one_queue && !as_usual {
        true => policy.placement.choice().label,
        false => {
            let usual = policy.queue.choice();
            let here = called.iter().find(|(queue, _)| *queue == usual.value);
            here.map_or(usual.label, |(_, name)| name)
        }
    };
    let own = policy.own.iter();
    let own: Vec<String> = own.map(|(key, value)| format!("{key} = {value}")).collect();
    match own.is_empty() {
        true => name.to_owned(),
        false => format!("{name} ({})", own.join(", ")),
    }
}

/// The runs of a scenario by x, policy and replication.
#[derive(Clone)]
struct Curves<'a> {
    run: &'a Run,
    scenario: &'a Scenario,
    results: &'a Results,
    metric: &'static Metric,
    /// What the paper calls its policies.
    called: &'static [Pair],
    /// The same of other figures, by their names, where an average goes over them too.
    among: Vec<(&'static str, Curves<'a>)>,
    /// Where the first value of x stands among those of the scenario.
    first: usize,
    x: Vec<String>,
    /// The metric as something to keep low, by (x, policy, replication).
    costs: Vec<Vec<Vec<Option<f64>>>>,
}

impl<'a> Curves<'a> {
    fn of(metric: &str, run: &'a Run) -> Curves<'a> {
        let Run {
            scenario, results, ..
        } = run;
        let position = metrics::position(metric).expect("it stands in the table");
        let metric = &METRICS[position];
        let x: Vec<String> = scenario.x().map_or(Vec::new(), |axis| axis.values.clone());
        let empty = vec![vec![None; scenario.reps() as usize]; scenario.policies().len()];
        let mut costs = vec![empty; x.len()];
        for outcome in results.outcomes() {
            let cell = outcome.cell;
            costs[cell.x][cell.policy][cell.replication as usize] =
                outcome.metrics[position].map(|value| match metric.better {
                    Better::Higher => -value,
                    Better::Lower | Better::Neither => value,
                });
        }
        Curves {
            run,
            scenario,
            results,
            metric,
            called: &[],
            among: Vec::new(),
            first: 0,
            x,
            costs,
        }
    }

    /// The same runs by another metric.
    fn by(&self, metric: &str) -> Curves<'a> {
        let curves = Curves {
            called: self.called,
            ..Curves::of(metric, self.run)
        };
        curves.cut(self.first, self.x.len())
    }

    /// So many values of x from that one on.
    fn cut(mut self, first: usize, count: usize) -> Curves<'a> {
        self.first += first;
        self.x = self.x.into_iter().skip(first).take(count).collect();
        self.costs = self.costs.into_iter().skip(first).take(count).collect();
        self
    }

    fn policy(&self, name: &str) -> usize {
        let mut policies = self.scenario.policies().iter();
        policies
            .position(|policy| policy.to_string() == name)
            .expect("claims name policies of the scenario")
    }

    fn label(&self, name: &str) -> String {
        label(self.scenario, self.policy(name), self.called)
    }

    /// The unit of a difference.
    fn unit(&self) -> &'static str {
        match self.metric.unit {
            "share" => "points",
            unit => unit,
        }
    }

    /// By how much a policy leads another at an x, in each replication.
    fn leads(&self, x: usize, policy: &str, than: &str) -> Vec<f64> {
        let costs = &self.costs[x];
        let pairs = costs[self.policy(than)]
            .iter()
            .zip(&costs[self.policy(policy)]);
        pairs
            .filter_map(|(there, here)| Some((*there)? - (*here)?))
            .collect()
    }

    fn lead(&self, x: usize, policy: &str, than: &str) -> Option<Evidence> {
        let what = format!(
            "at {}: {} over {}",
            self.x[x],
            self.label(policy),
            self.label(than)
        );
        Evidence::of_leads(what, self.unit(), &self.leads(x, policy, than))
    }

    /// By how many per cent a policy lowers the metric of another, on average over x, in each
    /// replication; `None` where one of these numbers is missing.
    fn lowerings(&self, policy: &str, than: &str) -> Vec<Option<f64>> {
        let (own, other) = (self.policy(policy), self.policy(than));
        let average = |r: usize| {
            let each = self
                .costs
                .iter()
                .map(|costs| lowering::percent(costs[own][r]?, costs[other][r]?));
            Some(each.sum::<Option<f64>>()? / self.costs.len() as f64)
        };
        (0..self.scenario.reps() as usize).map(average).collect()
    }

    /// What the comparisons at one x say together: the one that is least for the claim.
    fn weakest(&self, x: usize, policies: &[&str], than: &[&str]) -> Option<Evidence> {
        let pairs = policies
            .iter()
            .flat_map(|policy| than.iter().map(move |than| (policy, than)));
        let evidence = pairs.filter_map(|(policy, than)| self.lead(x, policy, than));
        weakest(evidence)
    }

    /// The values of x as numbers.
    fn numbers(&self) -> Vec<f64> {
        let x: Option<Vec<f64>> = self.x.iter().map(|value| value.parse().ok()).collect();
        x.expect("a line is fitted over numbers")
    }

    /// `of` the values at every x, for each replication that has all of them.
    fn by_replication(
        &self,
        value: impl Fn(usize, usize) -> Option<f64>,
        of: impl Fn(&[f64]) -> f64,
    ) -> Vec<f64> {
        let one = |replication| {
            let y: Option<Vec<f64>> = (0..self.x.len()).map(|at| value(at, replication)).collect();
            Some(of(&y?))
        };
        (0..self.scenario.reps() as usize).filter_map(one).collect()
    }

    /// For each replication how much the line that fits `value` at every x rises from the first x to
    /// the last.
    fn rises(&self, value: impl Fn(usize, usize) -> Option<f64>) -> Vec<f64> {
        let x = self.numbers();
        let reach = x[x.len() - 1] - x[0];
        self.by_replication(value, |y| slope(&x, y) * reach)
    }

    /// The metric of a policy at an x in a replication.
    fn value(&self, policy: &str, x: usize, replication: usize) -> Option<f64> {
        let cost = self.costs[x][self.policy(policy)][replication]?;
        Some(match self.metric.better {
            Better::Higher => -cost,
            Better::Lower | Better::Neither => cost,
        })
    }

    /// Whether the metric of each policy rises from every x to the next.
    fn step_by_step(&self, policies: &[&str]) -> Vec<Evidence> {
        let step = |policy: &str, x: usize| {
            let rises: Vec<f64> = (0..self.scenario.reps() as usize)
                .filter_map(|r| Some(self.value(policy, x, r)? - self.value(policy, x - 1, r)?))
                .collect();
            let [from, to] = [&self.x[x - 1], &self.x[x]];
            let what = format!("rise of {} from {from} to {to}", self.label(policy));
            Evidence::of_leads(what, self.unit(), &rises)
        };
        let steps = policies
            .iter()
            .flat_map(|policy| (1..self.x.len()).map(move |x| (policy, x)));
        steps.filter_map(|(policy, x)| step(policy, x)).collect()
    }

    /// Whether the line fitted to the metric of each policy rises, and the parabola bends upwards: by
    /// how much it sags in the middle.
    fn ever_faster(&self, policies: &[&str]) -> Vec<Evidence> {
        let x = self.numbers();
        let both = |policy: &&str| {
            let value = |x, r| self.value(policy, x, r);
            let sags = self.by_replication(value, |y| sag(&x, y));
            let label = self.label(policy);
            let what = |what: &str| format!("{what} of {label} {}", self.extent());
            [("rise", self.rises(value)), ("sag", sags)]
                .map(|(word, values)| Evidence::of_leads(what(word), self.unit(), &values))
        };
        policies.iter().flat_map(both).flatten().collect()
    }

    /// Whether the line fitted to the metric of each policy is steeper from an x on than up to there.
    fn steeper(&self, policies: &[&str], after: &str) -> Vec<Evidence> {
        let (x, at) = (self.numbers(), self.place(after));
        let difference = |policy: &&str| {
            let more = self.by_replication(
                |x, r| self.value(policy, x, r),
                |y| slope(&x[at..], &y[at..]) - slope(&x[..=at], &y[..=at]),
            );
            let what = format!(
                "slope of {} after {after} less that before, for 1 of x",
                self.label(policy)
            );
            Evidence::of_leads(what, self.unit(), &more)
        };
        policies.iter().filter_map(difference).collect()
    }

    /// Whether the line fitted to the metric of each policy rises, or falls where `sign` is negative.
    fn by_line(&self, what: &str, sign: f64, policies: &[&str]) -> (Outcome, Vec<Evidence>) {
        let sign = match self.metric.better {
            Better::Higher => -sign,
            Better::Lower | Better::Neither => sign,
        };
        let line = |policy: &&str| {
            let cost = |x: usize, r: usize| self.costs[x][self.policy(policy)][r];
            let rises = self.rises(|x, r| Some(sign * cost(x, r)?));
            let what = format!("{what} of {} {}", self.label(policy), self.extent());
            Evidence::of_leads(what, self.unit(), &rises)
        };
        let evidence: Vec<Evidence> = policies.iter().filter_map(line).collect();
        (claim::all(&evidence), evidence)
    }

    /// The same of the policy's lead over each of the others.
    fn leads_by_line(
        &self,
        what: &str,
        sign: f64,
        policy: &str,
        than: &[&str],
    ) -> (Outcome, Vec<Evidence>) {
        let line = |than: &&str| {
            let cost = |x: usize, r: usize, name| self.costs[x][self.policy(name)][r];
            let rises = self.rises(|x, r| Some(sign * (cost(x, r, than)? - cost(x, r, policy)?)));
            let what = format!(
                "{what} of the lead of {} over {} {}",
                self.label(policy),
                self.label(than),
                self.extent()
            );
            Evidence::of_leads(what, self.unit(), &rises)
        };
        let evidence: Vec<Evidence> = than.iter().filter_map(line).collect();
        (claim::all(&evidence), evidence)
    }

    /// From where to where x goes.
    fn extent(&self) -> String {
        format!("from {} to {}", self.x[0], self.x[self.x.len() - 1])
    }

    /// Where a value of x stands.
    fn place(&self, x: &str) -> usize {
        let place = self.x.iter().position(|value| value == x);
        place.expect("claims name values of x")
    }

    fn all_x(&self, of: impl Fn(usize) -> Option<Evidence>) -> Vec<Evidence> {
        (0..self.x.len()).filter_map(of).collect()
    }

    fn judge(&self, check: &Check, beside: Option<&Curves<'a>>) -> (Outcome, Vec<Evidence>) {
        match *check {
            Check::Better {
                policies,
                than,
                extent,
            } => {
                let mut evidence = self.all_x(|x| self.weakest(x, policies, than));
                if let Extent::AllBut(exception) = extent {
                    let side = &mut evidence[self.place(exception)].side;
                    *side = match *side {
                        Side::For | Side::Equal => Side::Against,
                        Side::Against => Side::For,
                        Side::Open => Side::Open,
                    };
                }
                (extent.quorum().judge(&evidence), evidence)
            }
            Check::NeverWorse { policy, than } => {
                let evidence = self.all_x(|x| self.lead(x, policy, than));
                (Quorum::NoneAgainst.judge(&evidence), evidence)
            }
            Check::LeadGrows { policy, than } => self.leads_by_line("growth", 1.0, policy, than),
            Check::LeadShrinks { policy, than } => self.leads_by_line("fall", -1.0, policy, than),
            Check::Falls { policies } => self.by_line("fall", -1.0, policies),
            Check::Rises { policies } => self.by_line("rise", 1.0, policies),
            Check::RisesSteadily { policies } => {
                let evidence = self.step_by_step(policies);
                (claim::all(&evidence), evidence)
            }
            Check::RisesEverFaster { policies } => {
                let evidence = self.ever_faster(policies);
                (claim::all(&evidence), evidence)
            }
            Check::Steeper { policies, after } => {
                let evidence = self.steeper(policies, after);
                (claim::all(&evidence), evidence)
            }
            Check::Of { metric, check } => {
                let beside = beside.map(|beside| beside.by(metric));
                self.by(metric).judge(check, beside.as_ref())
            }
            Check::Within { x, check } => {
                let [from, to] = x.map(|x| self.place(x));
                let cut = |curves: &Curves<'a>| curves.clone().cut(from, to + 1 - from);
                cut(self).judge(check, beside.map(cut).as_ref())
            }
            Check::Certain { check, .. } => self.judge(check, beside),
            Check::LargestLead {
                policies,
                than,
                range,
            } => {
                let leads = (0..self.x.len()).flat_map(|x| {
                    let leads = move |policy: &&str| self.lead(x, policy, than);
                    policies.iter().filter_map(leads)
                });
                let largest = leads.max_by(|a, b| a.value.mean.total_cmp(&b.value.mean));
                let evidence: Vec<Evidence> = largest
                    .map(|lead| Evidence {
                        side: inside(lead.value, range),
                        ..lead
                    })
                    .into_iter()
                    .collect();
                (claim::all(&evidence), evidence)
            }
            Check::RelativeLeadAt {
                policies,
                than,
                x,
                range,
            } => {
                let at = self.place(x);
                let relative = |policy: &&str| {
                    let costs = self.costs[at][self.policy(than)].iter();
                    let shares = costs.zip(&self.costs[at][self.policy(policy)]);
                    let shares: Vec<f64> = shares
                        .filter_map(|(there, here)| {
                            let (there, here) = ((*there)?, (*here)?);
                            Some(100.0 * (there - here) / there.abs())
                        })
                        .collect();
                    let value = estimate(&shares)?;
                    Some(Evidence {
                        what: format!(
                            "at {x}: relative lead of {} over {}",
                            self.label(policy),
                            self.label(than)
                        ),
                        unit: "%",
                        side: inside(value, range),
                        value,
                    })
                };
                let largest = policies
                    .iter()
                    .filter_map(relative)
                    .max_by(|a, b| a.value.mean.total_cmp(&b.value.mean));
                let evidence: Vec<Evidence> = largest.into_iter().collect();
                (claim::all(&evidence), evidence)
            }
            Check::LeadAt {
                policy,
                than,
                x,
                range,
            } => {
                let lead = self.lead(self.place(x), policy, than);
                let evidence: Vec<Evidence> = lead
                    .map(|lead| Evidence {
                        side: inside(lead.value, range),
                        ..lead
                    })
                    .into_iter()
                    .collect();
                (claim::all(&evidence), evidence)
            }
            Check::LeadBelow {
                policy,
                than,
                limit,
            } => {
                let below = |x: usize| {
                    let below = than.iter().filter_map(|than| {
                        let left: Vec<f64> = self
                            .leads(x, policy, than)
                            .iter()
                            .map(|lead| limit - lead)
                            .collect();
                        let left = Evidence::of_leads(String::new(), "", &left)?;
                        let lead = self.lead(x, policy, than)?;
                        Some((left, lead))
                    });
                    let (left, lead) =
                        below.min_by(|a, b| a.0.value.mean.total_cmp(&b.0.value.mean))?;
                    Some(Evidence {
                        side: left.side,
                        ..lead
                    })
                };
                let evidence = self.all_x(below);
                (claim::all(&evidence), evidence)
            }
            Check::Close {
                policies,
                reference,
                extent,
            } => {
                let labels: Vec<String> =
                    policies.iter().map(|policy| self.label(policy)).collect();
                let close = |x: usize| {
                    let costs = &self.costs[x];
                    let margin = |r: usize| {
                        let group: Option<Vec<f64>> = policies
                            .iter()
                            .map(|policy| costs[self.policy(policy)][r])
                            .collect();
                        let group = group?;
                        let worst = group.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                        let best = group.iter().copied().fold(f64::INFINITY, f64::min);
                        Some((costs[self.policy(reference)][r]? - worst) - (worst - best))
                    };
                    let margins: Vec<f64> = (0..self.scenario.reps() as usize)
                        .filter_map(margin)
                        .collect();
                    let what = format!(
                        "at {}: distance to {} less the spread of {}",
                        self.x[x],
                        self.label(reference),
                        labels.join(", ")
                    );
                    Evidence::of_leads(what, self.unit(), &margins)
                };
                let evidence = self.all_x(close);
                (extent.quorum().judge(&evidence), evidence)
            }
            Check::Peak {
                metric,
                policies,
                factor,
                unit,
                range,
            } => {
                let evidence: Vec<Evidence> = self
                    .peak(metric, policies, factor, unit, range)
                    .into_iter()
                    .collect();
                (claim::all(&evidence), evidence)
            }
            Check::Never {
                metric,
                policies,
                factor,
                unit,
                above,
            } => {
                let measured = &self.by(metric);
                let reps = self.scenario.reps() as usize;
                let of = |policy| {
                    let cells = (0..self.x.len()).flat_map(|x| (0..reps).map(move |r| (x, r)));
                    cells.filter_map(move |(x, r)| measured.value(policy, x, r))
                };
                let greatest = policies.iter().flat_map(|policy| of(policy));
                let evidence: Vec<Evidence> = greatest
                    .reduce(f64::max)
                    .map(|value| {
                        let value = factor * value;
                        let what = "greatest in any replication".to_owned();
                        Evidence::fact(what, unit, value, value <= above)
                    })
                    .into_iter()
                    .collect();
                (claim::all(&evidence), evidence)
            }
            Check::MeanAt {
                policy,
                x,
                factor,
                unit,
                range,
            } => {
                let place = (self.first + self.place(x), self.policy(policy));
                let what = format!("at {x}: {}", self.label(policy));
                let evidence = self.mean_at(place, self.metric.name, factor, what, unit, range);
                let evidence: Vec<Evidence> = evidence.into_iter().collect();
                (claim::all(&evidence), evidence)
            }
            Check::Crossing {
                policy,
                than,
                of,
                range,
            } => {
                let evidence: Vec<Evidence> =
                    self.crossing(policy, than, of, range).into_iter().collect();
                (claim::all(&evidence), evidence)
            }
            Check::Flat { policies, at_most } => {
                let rise = |policy: &&str| {
                    let costs = |r: usize| -> Option<f64> {
                        let costs = self.costs.iter().map(|at| at[self.policy(policy)][r]);
                        let costs: Option<Vec<f64>> = costs.collect();
                        let costs = costs?;
                        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
                        let most = costs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                        Some(100.0 * (most - least) / least.abs())
                    };
                    let rises = (0..self.scenario.reps() as usize).filter_map(costs);
                    let value = estimate(&rises.collect::<Vec<f64>>())?;
                    Some(Evidence {
                        what: format!("largest difference of {} over x", self.label(policy)),
                        unit: "%",
                        side: inside(value, [f64::NEG_INFINITY, 100.0 * at_most]),
                        value,
                    })
                };
                let evidence: Vec<Evidence> = policies.iter().filter_map(rise).collect();
                (claim::all(&evidence), evidence)
            }
            Check::Same { policy, than } => {
                let evidence = self.all_x(|x| self.lead(x, policy, than));
                let same = evidence.iter().all(|one| one.side == Side::Equal);
                let outcome = match (evidence.is_empty(), same) {
                    (true, _) => Outcome::Undecided,
                    (false, true) => Outcome::Holds,
                    (false, false) => Outcome::DoesNotHold,
                };
                (outcome, evidence)
            }
            Check::LowestAt { policy, x } => {
                let (at, own) = (self.place(x), self.policy(policy));
                let above = |other: usize| {
                    let pairs = self.costs[other][own].iter().zip(&self.costs[at][own]);
                    let above = pairs.filter_map(|(there, here)| Some((*there)? - (*here)?));
                    let above: Vec<f64> = above.collect();
                    let what = format!("{} at {} over {x}", self.label(policy), self.x[other]);
                    Evidence::of_leads(what, self.unit(), &above)
                };
                let others = (0..self.x.len()).filter(|&other| other != at);
                let evidence: Vec<Evidence> = others.filter_map(above).collect();
                (claim::all(&evidence), evidence)
            }
            Check::GainLargerThan { policy, than, .. } => {
                let Some(beside) = beside else {
                    return (Outcome::Undecided, Vec::new());
                };
                let gain = |curves: &Curves<'_>, r: usize| {
                    let sum = |name| -> Option<f64> {
                        let policy = curves.policy(name);
                        curves.costs.iter().map(|costs| costs[policy][r]).sum()
                    };
                    Some(1.0 - sum(policy)? / sum(than)?)
                };
                let reps = self.scenario.reps() as usize;
                let more: Vec<f64> = (0..reps)
                    .filter_map(|r| Some(gain(self, r)? - gain(beside, r)?))
                    .collect();
                let what = format!(
                    "gain of {} over {}, here − there",
                    self.label(policy),
                    self.label(than)
                );
                let evidence: Vec<Evidence> = Evidence::of_leads(what, "points", &more)
                    .into_iter()
                    .collect();
                (claim::all(&evidence), evidence)
            }
            Check::Lowers {
                among,
                policy,
                than,
                percent,
            } => {
                if self.among.len() < among.len() {
                    return (Outcome::Undecided, Vec::new());
                }
                let place = |id: &str| Figure::named(id).map_or("", |figure| figure.place);
                let there = self.among.iter().map(|(id, there)| (place(id), there));
                let cases: Vec<(&str, Vec<Option<f64>>)> = there
                    .chain([("here", self)])
                    .map(|(place, curves)| (place, curves.lowerings(policy, than)))
                    .collect();
                let what = format!("{} below {}", self.label(policy), self.label(than));
                lowering::judged(&what, &cases, percent)
            }
            Check::LargerThan { policies, .. } => {
                let Some(beside) = beside else {
                    return (Outcome::Undecided, Vec::new());
                };
                let larger = |x: usize| {
                    let each = policies.iter().filter_map(|policy| {
                        let costs =
                            |curves: &Curves<'_>| curves.costs[x][curves.policy(policy)].clone();
                        let pairs = costs(self).into_iter().zip(costs(beside));
                        let more: Vec<f64> = pairs
                            .filter_map(|(here, there)| Some(here? - there?))
                            .collect();
                        let what =
                            format!("at {}: {}, here − there", self.x[x], self.label(policy));
                        Evidence::of_leads(what, self.unit(), &more)
                    });
                    weakest(each)
                };
                let evidence = self.all_x(larger);
                (claim::all(&evidence), evidence)
            }
        }
    }

    /// The value of a metric where a policy ceases to be better than another.
    fn crossing(&self, policy: &str, than: &str, of: &str, range: [f64; 2]) -> Option<Evidence> {
        let measured = self.by(of);
        let (own, other) = (self.policy(policy), self.policy(than));
        let at_crossing = |r: usize| {
            (1..self.x.len()).find_map(|x| {
                let lead = |x: usize| Some(self.costs[x][other][r]? - self.costs[x][own][r]?);
                let (before, after) = (lead(x - 1)?, lead(x)?);
                if before <= 0.0 || after > 0.0 {
                    return None;
                }
                let value = |x: usize| measured.costs[x][own][r];
                let share = before / (before - after);
                Some(value(x - 1)? + share * (value(x)? - value(x - 1)?))
            })
        };
        let reps = self.scenario.reps() as usize;
        let values: Vec<f64> = (0..reps).filter_map(at_crossing).collect();
        let value = estimate(&values)?;
        Some(Evidence {
            what: format!(
                "{} where {} crosses {}",
                measured.metric.label,
                self.label(policy),
                self.label(than)
            ),
            unit: measured.metric.unit,
            // Those replications alone in which it happens early would tell another story.
            side: match values.len() == reps {
                true => inside(value, range),
                false => Side::Open,
            },
            value,
        })
    }

    /// The greatest mean and whether it lies in the range.
    fn peak(
        &self,
        metric: &str,
        policies: &[&str],
        factor: f64,
        unit: &'static str,
        range: [f64; 2],
    ) -> Option<Evidence> {
        let position = metrics::position(metric)?;
        let chosen: Vec<usize> = policies.iter().map(|policy| self.policy(policy)).collect();
        let points = self.results.points();
        let within = self.first..self.first + self.x.len();
        let of_it = points.iter().filter(|point| {
            point.metric == position && chosen.contains(&point.policy) && within.contains(&point.x)
        });
        let top = of_it.max_by(|a, b| a.value.mean.total_cmp(&b.value.mean))?;
        let name = self.scenario.policies()[top.policy].to_string();
        let what = format!(
            "greatest of {}, at {}",
            self.label(&name),
            self.x[top.x - self.first]
        );
        self.mean_at((top.x, top.policy), metric, factor, what, unit, range)
    }

    /// The mean of a metric for a policy at an x, and whether it lies in the range.
    fn mean_at(
        &self,
        place: (usize, usize),
        metric: &str,
        factor: f64,
        what: String,
        unit: &'static str,
        range: [f64; 2],
    ) -> Option<Evidence> {
        let position = metrics::position(metric)?;
        let outcomes = self.results.outcomes();
        let values: Vec<f64> = outcomes
            .filter(|outcome| (outcome.cell.x, outcome.cell.policy) == place)
            .filter_map(|outcome| Some(outcome.metrics[position]? * factor))
            .collect();
        let value = estimate(&values)?;
        Some(Evidence {
            what,
            unit,
            value,
            side: inside(value, range),
        })
    }
}

/// The slope of the line that fits `y` over `x`.
fn slope(x: &[f64], y: &[f64]) -> f64 {
    let (x_mean, y_mean) = (mean(x), mean(y));
    let both = x.iter().zip(y).map(|(x, y)| (x - x_mean) * (y - y_mean));
    let square = x.iter().map(|x| (x - x_mean) * (x - x_mean));
    both.sum::<f64>() / square.sum::<f64>()
}

/// By how much the parabola that fits `y` over `x` lies below its chord in the middle of x.
fn sag(x: &[f64], y: &[f64]) -> f64 {
    let x_mean = mean(x);
    let x: Vec<f64> = x.iter().map(|x| x - x_mean).collect();
    let square: Vec<f64> = x.iter().map(|x| x * x).collect();
    // What the squares have that no line fits.
    let (tilt, level) = (slope(&x, &square), mean(&square));
    let rest = |x: &f64| x * x - tilt * x - level;
    let both = x.iter().zip(y).map(|(x, y)| rest(x) * y);
    let bend = both.sum::<f64>() / x.iter().map(|x| rest(x) * rest(x)).sum::<f64>();
    let half = (x[x.len() - 1] - x[0]) / 2.0;
    bend * half * half
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The evidence that is least for the claim; a tie counts only where nothing else is there.
fn weakest(evidence: impl Iterator<Item = Evidence>) -> Option<Evidence> {
    let rank = |side| match side {
        Side::Against => 0,
        Side::Open => 1,
        Side::For => 2,
        Side::Equal => 3,
    };
    let lower = |one: &Evidence| one.value.mean - one.value.half_width.unwrap_or(0.0);
    evidence.min_by(|a, b| {
        rank(a.side)
            .cmp(&rank(b.side))
            .then(lower(a).total_cmp(&lower(b)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_named_by_the_switches_that_matter() {
        const SWEEP: Sweep = Sweep {
            pairs: &[],
            quick: &[],
            stated: Stated::Unstated,
            log: None,
            metric: "accept_rate",
            logarithmic: false,
            switches: &[
                Switch {
                    key: "fabric",
                    values: &["aggregated", "single-root"],
                },
                Switch {
                    key: "size",
                    values: &["constant:1", "constant:2", "constant:3"],
                },
            ],
            claims: &[],
        };
        let readings = SWEEP.readings();
        assert_eq!(readings.len(), 6);
        assert_eq!(
            readings[1].to_string(),
            "fabric = aggregated, size = constant:2"
        );
        let under = |held: &[usize]| SWEEP.under(&readings, held);
        assert_eq!(under(&[3, 4, 5]), "fabric = single-root");
        assert_eq!(under(&[1, 2, 4, 5]), "size = constant:2 or constant:3");
        assert_eq!(
            under(&[0, 1, 2, 3, 5]),
            "all readings but fabric = single-root, size = constant:2"
        );
        assert_eq!(under(&[0, 4]), "2 of 6 readings");
    }

    /// A check judged where the metric is, at each x in 10 replications that differ by ± 1, what `means`
    /// has for each of two policies.
    fn judged(check: &Check, means: [&[f64]; 2]) -> (Outcome, Vec<Side>) {
        let x: Vec<String> = (1..=means[0].len()).map(|x| x.to_string()).collect();
        let x = format!("load:{}", x.join(","));
        let pairs = [("policy", "fcfs,easy"), ("reps", "10"), ("x", &x)];
        let scenario = Scenario::parse(pairs).expect("it is valid");
        let metric = metrics::position("response_mean").expect("it stands in the table");
        let mut results = Results::new(&scenario);
        for cell in backfill_experiment::sweep::cells(&scenario) {
            let mut values = vec![None; METRICS.len()];
            // The policies swing against each other, so that their difference does too.
            let swing = f64::from(cell.replication % 2) * 2.0 - 1.0;
            let swing = swing * (1.0 - 2.0 * cell.policy as f64);
            values[metric] = Some(means[cell.policy][cell.x] + swing);
            results.add(backfill_experiment::sweep::Outcome {
                cell,
                digest: String::new(),
                metrics: values,
                jobs: 0,
            });
        }
        let run = Run {
            reading: Reading::default(),
            scenario,
            results,
        };
        let (outcome, evidence) = Curves::of("response_mean", &run).judge(check, None);
        (outcome, evidence.iter().map(|one| one.side).collect())
    }

    const FCFS: &str = "fcfs+adaba";
    const EASY: &str = "easy+adaba";

    fn better(extent: Extent) -> Check {
        Check::Better {
            policies: &[EASY],
            than: &[FCFS],
            extent,
        }
    }

    /// Four values of seven for it, two against it, one open.
    #[test]
    fn a_text_without_exceptions_does_not_bear_what_most_cases_do() {
        let means: [&[f64]; 2] = [
            &[20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0],
            &[10.0, 10.0, 10.0, 10.0, 20.0, 30.0, 30.0],
        ];
        let outcome = |extent| judged(&better(extent), means).0;
        assert_eq!(outcome(Extent::Mostly), Outcome::Holds);
        assert_eq!(outcome(Extent::Generally), Outcome::DoesNotHold);
        assert_eq!(outcome(Extent::Always), Outcome::DoesNotHold);
        let five: [&[f64]; 2] = [&means[0][..5], &means[1][..5]];
        let outcome = |extent| judged(&better(extent), five).0;
        assert_eq!(outcome(Extent::Generally), Outcome::Holds);
        assert_eq!(outcome(Extent::Always), Outcome::Undecided);
    }

    #[test]
    fn a_policy_is_not_found_no_worse_by_open_comparisons() {
        let check = Check::NeverWorse {
            policy: EASY,
            than: FCFS,
        };
        let level: [&[f64]; 2] = [&[20.0, 20.0], &[20.0, 20.0]];
        let (outcome, sides) = judged(&check, level);
        assert_eq!(outcome, Outcome::Undecided);
        assert_eq!(sides, [Side::Open, Side::Open]);
        let ahead: [&[f64]; 2] = [&[20.0, 20.0], &[10.0, 10.0]];
        assert_eq!(judged(&check, ahead).0, Outcome::Holds);
        let once_behind: [&[f64]; 2] = [&[20.0, 20.0], &[10.0, 30.0]];
        assert_eq!(judged(&check, once_behind).0, Outcome::DoesNotHold);
    }

    #[test]
    fn nothing_is_said_beyond_the_values_that_a_claim_is_about() {
        const WITHIN: Check = Check::Within {
            x: ["1", "2"],
            check: &Check::Better {
                policies: &[EASY],
                than: &[FCFS],
                extent: Extent::Always,
            },
        };
        let means: [&[f64]; 2] = [&[20.0, 20.0, 20.0], &[10.0, 10.0, 40.0]];
        let (outcome, sides) = judged(&WITHIN, means);
        assert_eq!(outcome, Outcome::Holds);
        assert_eq!(sides, [Side::For, Side::For]);
    }

    #[test]
    fn the_exception_that_a_text_makes_is_for_it() {
        let check = better(Extent::AllBut("2"));
        let means: [&[f64]; 2] = [&[20.0, 20.0, 20.0], &[10.0, 40.0, 10.0]];
        let (outcome, sides) = judged(&check, means);
        assert_eq!(outcome, Outcome::Holds);
        assert_eq!(sides, [Side::For; 3]);
    }

    #[test]
    fn what_rises_need_not_rise_steadily_or_ever_faster() {
        let steadily = Check::RisesSteadily { policies: &[FCFS] };
        let faster = Check::RisesEverFaster { policies: &[FCFS] };
        let steeper = Check::Steeper {
            policies: &[FCFS],
            after: "3",
        };
        let outcomes = |curve: &[f64]| {
            [&steadily, &faster, &steeper].map(|check| judged(check, [curve, curve]).0)
        };
        use Outcome::{DoesNotHold as No, Holds as Yes};
        assert_eq!(outcomes(&[10.0, 20.0, 40.0, 80.0, 160.0]), [Yes, Yes, Yes]);
        // Flat, then rising: neither at every step, yet it bends.
        assert_eq!(outcomes(&[10.0, 9.0, 10.0, 50.0, 90.0]), [No, Yes, Yes]);
        // Ever more slowly.
        assert_eq!(outcomes(&[10.0, 90.0, 130.0, 150.0, 160.0]), [Yes, No, No]);
        // Ever more quickly downwards.
        assert_eq!(outcomes(&[160.0, 150.0, 130.0, 90.0, 10.0]), [No, No, No]);
    }

    #[test]
    fn a_parabola_sags_by_what_it_lies_below_its_chord() {
        let x = [0.0, 1.0, 2.0, 4.0];
        let y = x.map(|x: f64| 3.0 * x * x - 2.0 * x + 7.0);
        // At 2, halfway, it has 15; the chord from 7 to 47 has 27.
        assert!((sag(&x, &y) - 12.0).abs() < 1e-9, "{}", sag(&x, &y));
        assert!(sag(&x, &x.map(|x| 5.0 - x)).abs() < 1e-9);
    }

    /// One run above the limit refutes what a mean would not.
    #[test]
    fn what_never_happens_happens_in_no_replication() {
        let never = |above| Check::Never {
            metric: "response_mean",
            policies: &[FCFS],
            factor: 2.0,
            unit: "s",
            above,
        };
        // The replications swing by 1 about 10, and twice that is told.
        let means: [&[f64]; 2] = [&[9.0, 10.0], &[50.0, 50.0]];
        assert_eq!(judged(&never(22.0), means).0, Outcome::Holds);
        assert_eq!(judged(&never(21.0), means).0, Outcome::DoesNotHold);
    }

    #[test]
    fn a_flat_curve_is_one_whose_whole_interval_is() {
        let flat = Check::Flat {
            policies: &[FCFS],
            at_most: 0.1,
        };
        assert_eq!(
            judged(&flat, [&[1000.0, 1020.0], &[0.0, 0.0]]).0,
            Outcome::Holds
        );
        assert_eq!(
            judged(&flat, [&[1000.0, 1200.0], &[0.0, 0.0]]).0,
            Outcome::DoesNotHold
        );
        assert_eq!(
            judged(&flat, [&[10.0, 11.0], &[0.0, 0.0]]).0,
            Outcome::Undecided
        );
    }
}
