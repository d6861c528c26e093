import { plural } from './words.ts';

export const scenarioTexts = {
  line: (policies: number, workload: string, system: string) =>
    [plural(policies, 'policy', 'policies'), workload, system].join(' · '),
  jobs: (workload: string, jobs: string) => `${workload}, ${jobs} jobs`,
  size: (key: string, values: string[]) => `${key} = ${values.join(', ')}`,
};
