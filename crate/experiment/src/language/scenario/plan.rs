//! From the values of a scenario to the simulator's setup of one run: the only place where text
//! becomes types. Each key puts its own value into the plan; values that depend on each other are
//! combined at the end.

use crate::language::expression;
use backfill_sim::choice::choices;
use backfill_sim::decimal::{Decimal, whole};
use backfill_sim::metrics::RunOptions;
use backfill_sim::policy::order::Order;
use backfill_sim::policy::{Queue, QueueOptions};
use backfill_sim::setup::Setup;
use backfill_sim::system::{PlacementOptions, PlacementPolicy};
use backfill_sim::system::{SystemKind, SystemSpecs};
use backfill_sim::unit::{Kbps, Span};
use backfill_sim::workload::selection::Pick;
use backfill_sim::workload::{
    Bandwidth, BandwidthKind, Distribution, Feitelson, Load, LoadScaling, Model, Slice, Source,
    SourceKind, Workload,
};

choices! {
    /// A switch.
    pub enum Toggle {
        On = "on", "On", "In force.", "";
        Off = "off", "Off", "Not in force.", "";
    }
}

choices! {
    /// What says how large a machine is.
    pub enum MachineSize {
        Given = "given", "As given", "The key that counts its nodes.", "";
        Log = "log", "The log's machine",
            "The log: its header, unless more was in use at once by its own start and run times; without both, its widest job.",
            "";
    }
}

/// The most jobs of a trace that a key can name.
pub(super) const MOST_JOBS: u32 = 10_000_000;

/// A part of a trace as it is written; `None` for anything else.
pub(super) fn slice(text: &str) -> Option<Slice> {
    let number = |text: &str| {
        let number = whole(text.trim());
        number.filter(|number| (1..=MOST_JOBS).contains(number))
    };
    if text == "all" {
        return Some(Slice::All);
    }
    match text.strip_prefix("busiest:") {
        Some(count) => number(count).map(Slice::Busiest),
        None => {
            let (from, to) = text.split_once('-')?;
            let (from, to) = (number(from)?, number(to)?);
            (from <= to).then_some(Slice::Positions(from, to))
        }
    }
}

/// A part of a trace in canonical form.
pub(super) fn written_slice(slice: Slice) -> String {
    match slice {
        Slice::All => "all".to_owned(),
        Slice::Busiest(count) => format!("busiest:{count}"),
        Slice::Positions(from, to) => format!("{from}-{to}"),
    }
}

/// The name for the order of another key.
pub(crate) const SAME: &str = "same";

/// A valid value of a key in canonical form. Its readers are not inlined: they are called for every
/// key, and inlined they would make the page's module larger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'a>(&'a str);

impl<'a> Value<'a> {
    /// The value with this text.
    pub(super) fn new(text: &'a str) -> Value<'a> {
        Value(text)
    }

    /// The text.
    pub(super) fn text(self) -> &'a str {
        self.0
    }

    /// Its parts, if it is one number for each of several.
    pub(super) fn parts(self) -> impl Iterator<Item = Value<'a>> {
        self.0.split('+').map(Value)
    }

    pub(super) fn integer(self) -> u32 {
        self.count().expect("a valid whole number")
    }

    /// The whole number, unless it is a word.
    pub(super) fn count(self) -> Option<u32> {
        self.0.parse().ok()
    }

    pub(super) fn large_integer(self) -> u64 {
        self.0.parse().expect("a valid whole number")
    }

    pub(super) fn decimal(self) -> Decimal {
        self.number().expect("a valid number")
    }

    /// The number, unless it is a word.
    pub(super) fn number(self) -> Option<Decimal> {
        Decimal::parse(self.0)
    }

    /// A part of a trace.
    pub(super) fn slice(self) -> Slice {
        slice(self.0).expect("a valid part of a trace")
    }

    /// Which jobs are taken by a name, unless all are.
    pub(super) fn pick(self) -> Option<Pick> {
        Pick::parse(self.0)
    }

    /// A time given in seconds.
    pub(super) fn seconds(self) -> Span {
        self.decimal().seconds()
    }

    /// A bandwidth given in Mbit/s.
    pub(super) fn mbps(self) -> Kbps {
        self.decimal().mbps()
    }

    pub(super) fn distribution(self) -> Distribution {
        Distribution::parse(self.0).expect("a valid distribution")
    }

    /// The least and the most of a constant or uniform distribution.
    pub(super) fn range(self) -> [Decimal; 2] {
        self.distribution()
            .uniform()
            .expect("a constant or uniform distribution")
    }

    /// An order of the queue; `None` for that of another key.
    pub(super) fn order(self) -> Option<Order> {
        match self.0 {
            SAME => None,
            "arrival" => Some(Order::Arrival),
            "estimate" => Some(Order::ShortestEstimate),
            "bandwidth" => Some(Order::SmallestBandwidth),
            "largest" => Some(Order::LargestSize),
            text => {
                let program = expression::parse(text).expect("a valid expression");
                Some(Order::Value(program))
            }
        }
    }

    pub(super) fn choice<T>(self, named: fn(&str) -> Option<T>) -> T {
        named(self.0).expect("a valid choice")
    }

    pub(super) fn is_on(self) -> bool {
        self.choice(Toggle::named) == Toggle::On
    }
}

/// The values that the keys have set for one run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The kind of system that the jobs run on.
    pub(super) system: SystemKind,
    /// The scheduling policy.
    pub(super) queue: Queue,
    placement: PlacementPolicy,
    /// The specifications of systems of each kind.
    pub(super) specs: SystemSpecs,
    /// What says how large the machine is.
    pub(super) machine_size: MachineSize,
    /// How many times the size of the log's machine, where the log says it.
    pub(super) machine_scale: Decimal,
    /// The settings of the source of the workload.
    pub(super) source: Generator,
    /// The given load, if any.
    pub(super) load: Option<Decimal>,
    /// Its meaning.
    pub(super) load_law: LoadScaling,
    /// The distribution of bandwidths.
    pub(super) bandwidth: BandwidthKind,
    /// Their mean, if the distribution has one.
    pub(super) mean_bandwidth: Kbps,
    /// The rest of the workload.
    pub(super) workload: Workload,
    pub(super) queueing: QueueOptions,
    pub(super) placing: PlacementOptions,
    pub(super) options: RunOptions,
}

/// The settings of the source of jobs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Generator {
    pub(super) kind: SourceKind,
    pub(super) jobs: u32,
    pub(super) size: Distribution,
    pub(super) runtime: Distribution,
    pub(super) interarrival: Distribution,
    /// Mean number of exponential arrivals in an hour, instead of that distribution.
    pub(super) arrivals_per_hour: Option<Decimal>,
    /// The largest size of a model, if not as published.
    pub(super) largest: Option<u32>,
    /// Whether batch and interactive jobs are sampled separately.
    pub(super) classes: bool,
    pub(super) feitelson: Feitelson,
    pub(super) upper: Decimal,
}

impl Generator {
    fn source(self) -> Source {
        let jobs = self.jobs;
        let model = |model| Source::Model { jobs, model };
        match self.kind {
            SourceKind::Swf => Source::Swf,
            SourceKind::Csv => Source::Csv,
            SourceKind::Poisson => Source::Poisson {
                jobs,
                size: self.size,
                runtime: self.runtime,
                interarrival: match self.arrivals_per_hour {
                    None => self.interarrival,
                    Some(rate) => {
                        let (arrivals, hours) = rate.ratio();
                        Distribution::Exponential(Some(Decimal::of_ratio(3600 * hours, arrivals)))
                    }
                },
            },
            SourceKind::Lublin => model(Model::Lublin {
                largest: self.largest.unwrap_or(128),
                classes: self.classes,
            }),
            SourceKind::Feitelson => model(Model::Feitelson(Feitelson {
                largest: self.largest.unwrap_or(256),
                interarrival: self.interarrival,
                ..self.feitelson
            })),
            SourceKind::Jann => model(Model::Jann { upper: self.upper }),
        }
    }
}

impl Plan {
    /// An empty plan for a policy on a system.
    pub(super) fn new(system: SystemKind, queue: Queue, placement: PlacementPolicy) -> Plan {
        Plan {
            system,
            queue,
            placement,
            specs: SystemSpecs::default(),
            machine_size: MachineSize::default(),
            machine_scale: Decimal::whole(1),
            source: Generator::default(),
            load: None,
            load_law: LoadScaling::default(),
            bandwidth: BandwidthKind::default(),
            mean_bandwidth: Kbps::default(),
            workload: Workload::default(),
            queueing: QueueOptions::default(),
            placing: PlacementOptions::default(),
            options: RunOptions::default(),
        }
    }

    /// The simulator's setup, after all keys have set their values.
    pub(super) fn finish(self) -> Setup {
        let mean = self.mean_bandwidth;
        Setup {
            system: self.specs.of(self.system),
            machine_scale: match (self.system, self.machine_size) {
                (SystemKind::Nodes, MachineSize::Log) => Some(self.machine_scale),
                _ => None,
            },
            workload: Workload {
                source: self.source.source(),
                load: match (self.load, self.load_law) {
                    (None, _) => Load::AsLogged,
                    (Some(load), LoadScaling::Offered) => Load::Offered(load),
                    (Some(ratio), LoadScaling::GapRatio) => Load::GapRatio(ratio),
                },
                bandwidth: match self.bandwidth {
                    BandwidthKind::None => Bandwidth::None,
                    BandwidthKind::Normal => Bandwidth::Normal { mean },
                    BandwidthKind::Constant => Bandwidth::Constant(mean),
                    BandwidthKind::PerSize => Bandwidth::PerSize,
                    BandwidthKind::PerServer => Bandwidth::PerServer,
                    BandwidthKind::Column => Bandwidth::Column,
                },
                recorded: self.queue == Queue::Recorded,
                ..self.workload
            },
            queue: self.queue,
            placement: self.placement,
            queueing: self.queueing,
            placing: self.placing,
            options: self.options,
        }
    }
}
