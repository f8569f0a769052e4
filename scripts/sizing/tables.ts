import type { Cost, Figures } from '../../bench/sizing/measure.ts'
import { ACCOUNTS, type Need, needOf } from './model.ts'

const COST_NAMES: Readonly<Record<keyof Figures['costs'], string>> = {
  execution: 'One execution of a tool',
  token_refresh: 'One token refresh',
  event_and_delivery: 'One event by webhook, with its delivery',
  poll: 'One poll without a new item',
}

const number = (value: number): string =>
  value >= 10 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 1 ? 1 : 2)

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** The tables of the documentation by name. */
export const TABLES: Readonly<Record<string, (figures: Figures) => string>> = {
  conditions: ({ date, machine, node, load }) =>
    `Measured on ${date} with \`npm run bench:sizing\` (${machine}, Node ${node}, load ${load}).`,
  costs: ({ costs }) =>
    table(
      ['Operation', 'Server, µs', 'PostgreSQL, µs'],
      (Object.entries(costs) as [keyof Figures['costs'], Cost][]).map(([name, cost]) => [
        COST_NAMES[name],
        number(cost.server_us),
        number(cost.postgres_us),
      ]),
    ),
  rows: ({ row_bytes }) =>
    table(
      ['Table', 'Bytes per row, with indexes'],
      Object.entries(row_bytes).map(([name, bytes]) => [`\`${name}\``, number(bytes)]),
    ),
  needs: (figures) => needsTable(ACCOUNTS.map((accounts) => needOf(figures, accounts))),
}

function needsTable(needs: readonly Need[]): string {
  const row = (name: string, value: (need: Need) => number) => [
    name,
    ...needs.map((need) => number(value(need))),
  ]
  return table(
    ['Connected accounts', ...needs.map(({ accounts }) => accounts.toLocaleString('en'))],
    [
      row('Executions per second', (need) => need.executionsPerSecond),
      row('Events and deliveries per second', (need) => need.eventsPerSecond),
      row('Polls per second', (need) => need.pollsPerSecond),
      row('Token refreshes per second', (need) => need.tokenRefreshesPerSecond),
      row('Cores for servers and workers', (need) => need.serverCores),
      row('Cores for PostgreSQL', (need) => need.postgresCores),
      row('Rows inserted per second', (need) => need.insertsPerSecond),
      row('Database after 30 days, GB', (need) => need.databaseGigabytes),
    ],
  )
}
