import { secondsList, wholeNumber } from '../rules.ts'
import type { SomeSettings } from './setting.ts'

/** Settings of how long entries are stored, and the retries of deliveries. */
export const retentionSettings = {
  logRetentionDays: {
    name: 'LOG_RETENTION_DAYS',
    rule: wholeNumber(0, 36_500),
    default: '30',
    description:
      'How many days the log of tool executions is stored; usage statistics are calculated from it. 0 ' +
      'stores it for ever. Older rows are dropped a week at a time; with less than 14 days a day, with more than 91 ' +
      'four weeks.',
  },
  auditRetentionDays: {
    name: 'AUDIT_RETENTION_DAYS',
    rule: wholeNumber(0, 36_500),
    default: '400',
    description:
      'How many days entries of the audit log are stored. 0 stores them for ever. Older entries are removed once a ' +
      'day; the chain of hashes continues from the last one removed.',
  },
  webhookRetrySeconds: {
    name: 'WEBHOOK_RETRY_SECONDS',
    rule: secondsList(20, 86_400),
    default: '5,300,1800,7200,18000,36000,36000',
    description:
      'The waiting times before each retry of a failed webhook delivery, in seconds. There are as many ' +
      'retries as waiting times. Each time is varied by up to a fifth.',
  },
} satisfies SomeSettings
