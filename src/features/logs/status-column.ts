import { sql } from '../../platform/db/sql.ts'

/** The status of a row of the execution log. */
export const STATUS = sql`
  case when e.successful is null then 'started' when e.successful then 'success' else 'failed' end`
