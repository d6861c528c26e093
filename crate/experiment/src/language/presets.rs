//! Tables that are known by their headings.

/// A known table.
#[derive(Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name as a value of `columns`.
    pub name: &'static str,
    /// Columns by which its heading is known.
    pub known_by: &'static [&'static str],
    /// What its columns are.
    pub columns: &'static str,
    /// Whether states are numbers as Slurm has them in its database.
    pub slurm_states: bool,
    /// Where it is described.
    pub source: &'static str,
}

/// The known tables; of several that fit a heading the first is taken.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "batsim",
        known_by: &[
            "job_id",
            "submission_time",
            "requested_number_of_resources",
            "execution_time",
        ],
        columns: "job:job_id,submit:submission_time,start:starting_time,run:execution_time,size:requested_number_of_resources,estimate:requested_time,state:success",
        slurm_states: false,
        source: "https://batsim.readthedocs.io/en/latest/output-jobs.html",
    },
    Preset {
        name: "acme",
        known_by: &["job_id", "gpu_num", "gpu_time", "stop_time", "submit_time"],
        columns: "job:job_id,submit:submit_time,start:start_time,end:end_time,run:duration,size:gpu_num,nodes:node_num,user:user,queue:type,state:state",
        slurm_states: false,
        source: "https://github.com/InternLM/AcmeTrace",
    },
    Preset {
        name: "helios",
        known_by: &["job_id", "gpu_num", "node_num", "vc", "submit_time"],
        columns: "job:job_id,submit:submit_time,start:start_time,end:end_time,run:duration,size:gpu_num,nodes:node_num,user:user,queue:vc,state:state",
        slurm_states: false,
        source: "https://github.com/S-Lab-System-Group/HeliosData",
    },
    Preset {
        name: "supercloud",
        known_by: &["id_job", "cpus_req", "nodes_alloc", "time_submit"],
        columns: "job:id_job,submit:time_submit,start:time_start,end:time_end,size:cpus_req,nodes:nodes_alloc,estimate:timelimit*60,user:id_user,partition:partition,state:state",
        slurm_states: true,
        source: "https://dcc.mit.edu/data",
    },
    Preset {
        name: "pai",
        known_by: &["job_name", "inst_num", "plan_gpu", "start_time"],
        columns: "job:job_name,submit:start_time,start:start_time,end:end_time,size:inst_num,state:status",
        slurm_states: false,
        source: "https://github.com/alibaba/clusterdata/tree/master/cluster-trace-gpu-v2020",
    },
    Preset {
        name: "f-data",
        known_by: &["jid", "usr", "adt", "sdt", "edt", "nnumr"],
        columns: "job:jid,submit:adt,start:sdt,end:edt,nodes:nnumr,estimate:elpl,user:usr",
        slurm_states: false,
        source: "https://doi.org/10.5281/zenodo.11467483",
    },
    Preset {
        name: "pm100",
        known_by: &["job_id", "num_cores_alloc", "num_nodes_alloc", "run_time"],
        columns: "job:job_id,submit:submit_time,start:start_time,end:end_time,run:run_time,size:num_cores_alloc,nodes:num_nodes_alloc,estimate:time_limit*60,user:user_id,queue:qos,partition:partition,state:job_state",
        slurm_states: false,
        source: "https://doi.org/10.5281/zenodo.10127767",
    },
];

/// The preset that fits a heading.
pub(crate) fn of_heading(names: &[&str]) -> Option<&'static Preset> {
    let has = |column: &str| names.iter().any(|name| name.eq_ignore_ascii_case(column));
    PRESETS
        .iter()
        .find(|preset| preset.known_by.iter().all(|column| has(column)))
}
