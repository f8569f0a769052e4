import type { MailSettings } from '../features/alerts/index.ts'
import type { Config } from '../platform/config.ts'
import { StartupError } from '../platform/startup-error.ts'

/** Returns the mail server of the settings. @throws StartupError if one of the two settings is missing */
export function mailSettings({ smtpUrl, smtpFrom }: Config): MailSettings | undefined {
  if (smtpUrl !== undefined && smtpFrom !== undefined) return { url: smtpUrl, from: smtpFrom }
  if (smtpUrl === undefined && smtpFrom === undefined) return undefined
  throw new StartupError('Only one of SMTP_URL and SMTP_FROM is set.', 'Set both, or neither.')
}
