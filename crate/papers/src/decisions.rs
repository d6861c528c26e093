//! The cost of a decision to spread a job over clusters.
//!
//! Paper 3 gives a profiler's microseconds (Table 1). Times vary by machine and run: here the
//! [`Steps`] of a decision are counted, and the benches measure times. A decision is needed where a
//! job fits neither its home nor any other cluster, but the free nodes behind links below the
//! threshold suffice; each scheduler decides in the states of its own runs. A1 finds the same
//! placement in two ways, which are the interpretations: by the paper's nested loops, and by the
//! sums that the remaining clusters can reach.
//!
//! [`Steps`]: backfill_sim::system::multi_cluster::place::Steps

use super::claim::{
    Claim, ClaimStatement, Evidence, Found, JudgedClaim, Rule, inside, inside_words,
};
use super::content::{self, Content, FigureNumber, OF_ANOTHER_KIND, Other};
use super::data::Data;
use super::effort::Effort;
use super::interpretation::Interpretation;
use super::label::label;
use super::log::Log;
use super::pair::Pair;
use super::ran::{self, Stated};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{cells, parts};
use backfill_sim::engine::Engine;
use backfill_sim::job::Request;
use backfill_sim::place::Placer;
use backfill_sim::problem::Problem;
use backfill_sim::run::{chain, list_policy};
use backfill_sim::stats::{estimate, ratio};
use backfill_sim::system::multi_cluster::place::{Chain, Module, place_by_nested_loops};
use backfill_sim::system::multi_cluster::{KnownSharing, Mapping, MultiCluster};

pub use super::data::{DecisionsRow as DecisionRow, Search};

/// Schedulers whose decisions are counted.
#[derive(Clone, Copy, Debug)]
pub struct Decisions {
    /// The scenario. Its first policy is A1; the others are one group.
    pub pairs: &'static [Pair],
    /// The number of jobs in the text.
    pub stated: Stated,
    /// The claims of the text.
    pub claims: &'static [Claim<DecisionCheck>],
}

/// A decision of A1 takes at least this many times the steps of each other scheduler.
#[derive(Clone, Copy, Debug)]
pub struct DecisionCheck {
    /// The least ratio of the steps.
    pub at_least: f64,
}

impl Rule for DecisionCheck {
    fn rule(&self) -> String {
        let words = inside_words(&format!("{} or more", self.at_least));
        format!("The steps of a decision of A1 by those of each other scheduler {words}")
    }
}

impl Search {
    /// Both ways, the paper's first.
    const ALL: [Search; 2] = [Search::NestedLoops, Search::ReachableSums];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Search::NestedLoops => "nested-loops",
            Search::ReachableSums => "reachable-sums",
        }
    }

    /// The words for readers.
    pub fn words(self) -> &'static str {
        match self {
            Search::NestedLoops => "by nested loops",
            Search::ReachableSums => "by sums that can be reached",
        }
    }

    /// The interpretation of the figure with this search.
    fn interpretation(self) -> Interpretation {
        Interpretation(vec![("search", self.name())])
    }
}

impl Decisions {
    /// The scenario that is simulated with that effort.
    pub(super) fn scenario(&self, effort: Effort) -> Scenario {
        let own = effort.replications().to_string();
        let pairs = self.pairs.iter().copied().chain([("reps", own.as_str())]);
        Scenario::parse(pairs).expect("the tables hold valid scenarios")
    }

    /// Simulates the schedulers and counts steps.
    ///
    /// # Errors
    /// The jobs of the scenario cannot be made.
    ///
    /// # Panics
    /// The table of figures holds no valid scenario.
    pub fn rows(&self, effort: Effort) -> Result<Vec<DecisionRow>, Problem> {
        let replications = effort.replications() as usize;
        let scenario = self.scenario(effort);
        let mut counted = vec![vec![Counted::default(); replications]; scenario.policies().len()];
        for cell in cells(&scenario) {
            let (setup, jobs) = parts(&scenario, cell, None)?;
            let spec = setup.system.multi_cluster().expect("clusters");
            let mut found = Counted::default();
            let placer = Counting {
                chain: chain(&setup),
                counted: &mut found,
            };
            let policy = list_policy(&setup, Box::new(placer));
            let cost = setup.options.migration_cost;
            let clusters = spec.build(KnownSharing::Dynamic);
            let mut engine = Engine::new(clusters, Box::new(policy), jobs, cost, false);
            while !engine.advance(u64::MAX) {}
            drop(engine);
            counted[cell.policy][cell.replication as usize].add(found);
        }
        let mut rows = Vec::new();
        for (policy, counted) in counted.iter().enumerate() {
            let scheduler = label(&scenario, policy, &[]);
            let own: &[Option<Search>] = match policy {
                0 => &Search::ALL.map(Some),
                _ => &[None],
            };
            rows.extend(
                own.iter()
                    .map(|&search| DecisionRow::of(&scheduler, search, counted)),
            );
        }
        Ok(rows)
    }
}

impl Content for Decisions {
    fn statements(&self) -> Vec<ClaimStatement> {
        content::statements(self.claims)
    }

    fn interpretations(&self) -> Vec<Interpretation> {
        Search::ALL.map(Search::interpretation).to_vec()
    }

    fn judge<'a>(
        &self,
        data: &'a Data,
        _: &'static [Pair],
        _: &dyn Fn(&str) -> Option<Other<'a>>,
    ) -> Vec<JudgedClaim> {
        let rows = rows_of(data);
        let others = || rows.iter().filter(|row| row.search.is_none());
        let finding = |at_least: f64, search: Search| {
            let own = rows.iter().filter(|row| row.search == Some(search));
            let pairs = own.flat_map(|own| others().map(move |other| (own, other)));
            let times = pairs.filter_map(|(own, other)| own.times(other, at_least));
            Found::all(times).under(search.interpretation().to_string())
        };
        let judge = |claim: &Claim<DecisionCheck>| {
            let findings = Search::ALL.map(|search| finding(claim.check.at_least, search));
            let under = |held: &[usize]| {
                let held = held.iter().map(|&held| Search::ALL[held].interpretation());
                let held: Vec<String> = held.map(|one| one.to_string()).collect();
                held.join(" or ")
            };
            claim.judged(findings.into(), under)
        };
        self.claims.iter().map(judge).collect()
    }

    fn lines(&self, data: &Data) -> Vec<FigureNumber> {
        let of_row = |row: &DecisionRow| {
            let interpretation = row.search.map_or("", Search::name);
            let numbers = [
                ("decisions", "", row.decisions),
                ("placed", "%", row.placed),
                ("steps", "", row.steps),
            ];
            numbers.map(|(metric, unit, value)| FigureNumber {
                interpretation: interpretation.to_owned(),
                unit,
                ..FigureNumber::of(row.scheduler.clone(), metric, value)
            })
        };
        rows_of(data).iter().flat_map(of_row).collect()
    }

    fn ran(&self, effort: Effort, _: &dyn Fn(&Log) -> bool) -> Option<String> {
        let [here, full] = [effort, Effort::Full].map(|effort| self.scenario(effort));
        Some(ran::what_was_simulated(&here, &full, "", self.stated))
    }
}

fn rows_of(data: &Data) -> &[DecisionRow] {
    let Data::Decisions(rows) = data else {
        panic!("{OF_ANOTHER_KIND}");
    };
    rows
}

impl DecisionRow {
    fn of(scheduler: &str, search: Option<Search>, counted: &[Counted]) -> DecisionRow {
        let mean = |value: &dyn Fn(&Counted) -> f64| {
            let values: Vec<f64> = counted.iter().map(value).collect();
            (estimate(&values).expect("there is a replication"), values)
        };
        let each = |part: u64, counted: &Counted| part as f64 / counted.decisions.max(1) as f64;
        let (steps, by_replication) = mean(&|counted| match search {
            Some(Search::NestedLoops) => each(counted.nested, counted),
            Some(Search::ReachableSums) | None => each(counted.steps, counted),
        });
        DecisionRow {
            scheduler: scheduler.to_owned(),
            search,
            decisions: mean(&|counted| counted.decisions as f64).0,
            placed: mean(&|counted| 100.0 * each(counted.placed, counted)).0,
            steps,
            by_replication,
        }
    }

    /// The ratio of the steps of a decision to those of `other`; `None` without decisions.
    fn times(&self, other: &DecisionRow, at_least: f64) -> Option<Evidence> {
        let pairs = self.by_replication.iter().zip(&other.by_replication);
        let pairs: Vec<(f64, f64)> = pairs.map(|(&own, &other)| (own, other)).collect();
        let value = ratio(&pairs)?;
        Some(Evidence {
            what: format!(
                "steps of {} by those of {}",
                self.scheduler, other.scheduler
            ),
            unit: "",
            value,
            side: inside(value, [at_least, f64::INFINITY]),
        })
    }
}

/// Counts over some runs.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    decisions: u64,
    placed: u64,
    steps: u64,
    /// The steps of A1 by nested loops.
    nested: u64,
}

impl Counted {
    fn add(&mut self, other: Counted) {
        self.decisions += other.decisions;
        self.placed += other.placed;
        self.steps += other.steps;
        self.nested += other.nested;
    }
}

/// A placer that counts the steps of its decisions.
struct Counting<'a> {
    chain: Chain,
    counted: &'a mut Counted,
}

impl Placer<MultiCluster> for Counting<'_> {
    fn place(&mut self, system: &MultiCluster, request: &Request) -> Option<Mapping> {
        let last = *self.chain.0.last()?;
        if system.most_free() >= request.size {
            return self.chain.place(system, request);
        }
        let counted = &mut *self.counted;
        counted.decisions += 1;
        let place = last.place(system, request, &mut counted.steps);
        if let Module::Satisfy { threshold } = last {
            let tried = place_by_nested_loops(system, request, threshold, &mut counted.nested);
            assert_eq!(tried, place, "job {} at {threshold} %", request.index.0);
        }
        counted.placed += u64::from(place.is_some());
        place
    }

    fn exists(&self, system: &MultiCluster, request: &Request) -> Option<bool> {
        self.chain.exists(system, request)
    }

    fn largest(&self, system: &MultiCluster) -> u64 {
        self.chain.largest(system)
    }
}
