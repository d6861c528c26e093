//! What can be said of curves: each check with its rule in words beside its code.
//!
//! Policies go by their names in the scenario; a policy *leads* by how much its metric is better.
//!
//! - `rule`: what every check answers
//! - `orders`: orders of policies: who leads whom, who is alike, who does best at one value of x
//! - `leads`: sizes of leads, at one value of x, over all and on average over figures
//! - `shapes`: shapes of curves and of leads over x
//! - `numbers`: numbers on curves: peaks, limits, means, crossings
//! - `figures`: comparisons with another figure
//! - `checks`: checks of checks: another metric, some values of x, nothing that can be refuted

mod checks;
mod figures;
mod leads;
mod numbers;
mod orders;
mod rule;
mod shapes;

pub use checks::{Certain, Of, Within};
pub use figures::{GainLargerThan, LargerThan};
pub use leads::{LargestLead, LeadAt, LeadBelow, Lowers, RelativeLeadAt};
pub use numbers::{Crossing, MeanAt, NeverExceeds, Peak};
pub use orders::{Close, Leads, LowestAt, NeverWorse, OneLeads, Same};
pub use rule::{Check, CurveClaim, Extent, Mentions};
pub use shapes::{
    Falls, Flat, LeadGrows, LeadShrinks, Rises, RisesEverFaster, RisesSteadily, Steeper,
};
