import type { ErrorDefinition } from './definition.ts'

/** Errors of budgets (20xx). */
export const BUDGET_ERRORS = {
  Budget_NotFound: {
    code: 2001,
    status: 404,
    fix: 'List the budgets of the project and use an id from there.',
  },
  Budget_LimitReached: {
    code: 2002,
    status: 409,
    fix: 'Delete a budget that is no longer needed.',
  },
  Budget_Exceeded: {
    code: 2003,
    status: 429,
    fix: 'Wait for the next period, or raise the amount with `patchbay budgets update`.',
  },
} as const satisfies Record<string, ErrorDefinition>
