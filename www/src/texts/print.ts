export const printTexts = { title: 'Scenario', policies: 'Policies' };
