//! Serialised results of a run: each metric's value by its name.
//!
//! In memory values are in the order of [`METRICS`], which every version extends. A file, a
//! browser's store and a message from a worker name them instead, so that a result is read as far
//! as the names agree: values of unknown names are left out, and missing ones are not defined.
//! Nothing read here is trusted before [`Results::restore`] has checked it against its scenario.
//!
//! [`Results::restore`]: crate::study::sweep::Results::restore

use std::fmt;
use std::sync::LazyLock;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};

use crate::study::cell::Cell;
use backfill_sim::metrics::{METRICS, position};
use backfill_sim::over_time::OverTime;
use backfill_sim::workload::Trace;

/// The release of the simulator that made a result.
pub const CORE: &str = env!("CARGO_PKG_VERSION");

/// A trace's name: enough to identify it, without its contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
pub struct TraceName {
    /// Its file's name.
    pub name: String,
    /// SHA-256 of its decompressed bytes.
    pub sha256: String,
    /// The number of its jobs.
    pub jobs: usize,
}

impl From<&Trace> for TraceName {
    fn from(trace: &Trace) -> TraceName {
        TraceName {
            name: trace.name.clone(),
            sha256: trace.sha256.clone(),
            jobs: trace.rows.len(),
        }
    }
}

/// The result of a run, made by this version or another.
#[derive(Clone, Debug, Deserialize, ts_rs::TS)]
pub struct StoredOutcome {
    pub(crate) cell: Cell,
    pub(crate) digest: String,
    #[ts(type = "{ [name: string]: number | null } | (number | null)[]")]
    pub(crate) metrics: StoredValues,
    pub(crate) jobs: usize,
    #[serde(default)]
    #[ts(optional)]
    pub(crate) over_time: Option<Box<OverTime>>,
}

impl StoredOutcome {
    /// Names the values if they were listed in the order of the table `names`.
    pub(crate) fn name(&mut self, names: &[String]) {
        if let StoredValues::Listed(values) = &self.metrics
            && values.len() == names.len()
        {
            let mut named = vec![None; METRICS.len()];
            for (name, value) in names.iter().zip(values) {
                if let Some(position) = position(name) {
                    named[position] = Some(*value);
                }
            }
            self.metrics = StoredValues::Named(named);
        }
    }
}

/// The values of metrics; the inner option is `None` if a metric is not defined.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StoredValues {
    /// By their positions in [`METRICS`]; `None` if there was no value of that name.
    Named(Vec<Option<Option<f64>>>),
    /// In the order of a separate table, as versions before 0.2.0 wrote them.
    Listed(Vec<Option<f64>>),
}

impl<'de> Deserialize<'de> for StoredValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StoredValues, D::Error> {
        static NAMES: LazyLock<Vec<&'static str>> =
            LazyLock::new(|| METRICS.iter().map(|metric| metric.name).collect());
        // With the names, a reader of a browser's objects requests only those.
        deserializer.deserialize_struct("Metrics", &NAMES, ValuesVisitor)
    }
}

struct ValuesVisitor;

impl<'de> Visitor<'de> for ValuesVisitor {
    type Value = StoredValues;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("values of metrics by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StoredValues, A::Error> {
        let mut values = vec![None; METRICS.len()];
        while let Some(MetricPosition(position)) = map.next_key()? {
            match position {
                Some(position) => values[position] = Some(map.next_value()?),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(StoredValues::Named(values))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<StoredValues, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(StoredValues::Listed(values))
    }
}

/// The position of the metric of a name, if known.
struct MetricPosition(Option<usize>);

impl<'de> Deserialize<'de> for MetricPosition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MetricPosition, D::Error> {
        struct OfMetric;
        impl Visitor<'_> for OfMetric {
            type Value = MetricPosition;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("the name of a metric")
            }

            fn visit_str<E>(self, name: &str) -> Result<MetricPosition, E> {
                Ok(MetricPosition(position(name)))
            }
        }
        deserializer.deserialize_str(OfMetric)
    }
}

/// Writes the values of all metrics, in their order, by name.
pub(crate) fn by_name<S: Serializer>(
    values: &[Option<f64>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut named = serializer.serialize_struct("Metrics", values.len())?;
    for (metric, value) in METRICS.iter().zip(values) {
        named.serialize_field(metric.name, value)?;
    }
    named.end()
}

/// Writes a position in [`METRICS`] as the name of the metric there.
pub(crate) fn name<S: Serializer>(metric: &usize, serializer: S) -> Result<S::Ok, S::Error> {
    METRICS[*metric].name.serialize(serializer)
}
