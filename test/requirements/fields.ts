import { FIELD_TABLES } from './field-tables.ts'
import { FIELD_TABLES_OF_ACCOUNTS } from './field-tables-of-accounts.ts'
import { type Requirement, testsOf } from './requirement.ts'

export const ALL_FIELD_TABLES = [...FIELD_TABLES, ...FIELD_TABLES_OF_ACCOUNTS]

const evidence = testsOf('test/requirements/fields.test.ts')(
  'fields: responses of v3 have every field that the specification names, with its type',
)

/** One requirement for each field of the tables. */
export const FIELD_REQUIREMENTS: readonly Requirement[] = ALL_FIELD_TABLES.flatMap(
  ({ section, sample, fields }) =>
    Object.entries(fields).map(([path, type]) => ({
      id: `fields.${sample.replaceAll(' ', '-')}.${path}`,
      section,
      text: `The response for one ${sample} has \`${path}\`: ${type}.`,
      evidence,
    })),
)
