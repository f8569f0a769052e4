import type { Encryptor, ProjectEncryptor } from '../../platform/crypto/index.ts'
import type { Egress } from '../../platform/egress/index.ts'
import { newId } from '../../platform/ids.ts'
import { signedHeaders, signer } from '../../platform/webhook-signature.ts'
import { type AlertMessage, payloadOf, subjectOf } from './message.ts'
import type { AlertRuleRow } from './store.ts'

/** Where a rule sends its notifications. */
export type AlertTarget =
  | { channel: 'webhook'; url: string; secret: string }
  | { channel: 'slack'; url: string }
  | { channel: 'email'; addresses: readonly string[] }

/** The mail server of the administrator. */
export interface MailSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  url: string
  from: string
}

export interface NotifyDeps {
  egress: Egress
  encryptor: Encryptor
  /** Undefined: email is not possible. */
  mail: MailSettings | undefined
}

const TIMEOUT_MS = 10_000
const RESPONSE_BYTES_MAX = 64 * 1024
const ERROR_CHARACTERS_MAX = 300

const encryptionContext = (id: string) => `alert_rules:${id}:target`
export const encryptTarget = (encryptor: ProjectEncryptor, id: string, target: AlertTarget): Buffer =>
  encryptor.encrypt(target, encryptionContext(id))
export const decryptTarget = (
  encryptor: Encryptor,
  { id, encrypted_target: encrypted }: Pick<AlertRuleRow, 'id' | 'encrypted_target'>,
): AlertTarget => encryptor.decrypt<AlertTarget>(encrypted, encryptionContext(id))

/** Sends a notification once. Returns why it was not accepted, or null. */
export async function notify(
  deps: NotifyDeps,
  rule: AlertRuleRow,
  message: AlertMessage,
): Promise<string | null> {
  try {
    const target = decryptTarget(deps.encryptor, rule)
    if (target.channel === 'email')
      await sendMail(deps.mail, target.addresses, subjectOf(rule, message), rule)
    else await post(deps.egress, target, rule, message)
    return null
  } catch (error) {
    return (error as Error).message.slice(0, ERROR_CHARACTERS_MAX)
  }
}

async function post(
  egress: Egress,
  target: Exclude<AlertTarget, { channel: 'email' }>,
  rule: AlertRuleRow,
  message: AlertMessage,
): Promise<void> {
  const body = JSON.stringify(
    target.channel === 'slack' ? { text: subjectOf(rule, message) } : payloadOf(rule, message),
  )
  const response = await egress.send({
    method: 'POST',
    url: target.url,
    headers: {
      'content-type': 'application/json',
      ...(target.channel === 'webhook' &&
        signedHeaders(signer([target.secret]), newId('alr'), Math.floor(message.at / 1_000), body)),
    },
    body,
    timeoutMs: TIMEOUT_MS,
    bytesMax: RESPONSE_BYTES_MAX,
    maxRedirects: 0,
  })
  if (response.status < 200 || response.status > 299)
    throw new Error(`The receiver responded with status ${response.status}.`)
}

/** The mail server is a setting of the administrator, so it may have a private IP address. */
async function sendMail(
  mail: MailSettings | undefined,
  to: readonly string[],
  subject: string,
  { project_id: projectId, id }: AlertRuleRow,
): Promise<void> {
  if (!mail) throw new Error('SMTP_URL and SMTP_FROM are not set.')
  // Loaded when it is used: most servers send no mail, and the library takes 2 MB.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(mail.url, {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const text = `${subject}\n\nProject ${projectId}, alert rule ${id}.\n`
    await transport.sendMail({ from: mail.from, to, subject, text })
  } finally {
    transport.close()
  }
}
