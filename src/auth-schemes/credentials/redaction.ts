import { fieldsByName, type CredentialSources, type Credentials } from './lookup.ts'

const SECRET_NAME =
  /token|secret|password|(^|_)key|Key$|code_verifier|credentials|encoded|session|authorization/i
const NEVER_SECRET = new Set(['token_type', 'client_id'])
/** Shorter texts occur by chance; redacting them would make messages unreadable and protect nothing. */
const SECRET_CHARACTERS_MIN = 6

/** Redacts the credentials of a connection in a text: some providers repeat a rejected key in their error. */
export function redactSecrets(
  text: string,
  sources: CredentialSources,
  additionalSecrets: readonly string[] = [],
): string {
  return secretsRedactor(sources, additionalSecrets)(text)
}

/** Returns a function that works like `redactSecrets`, for many texts. */
export function secretsRedactor(
  sources: CredentialSources,
  additionalSecrets: readonly string[] = [],
): (text: string) => string {
  const secrets = [...collectSecrets(sources), ...additionalSecrets].filter(
    ({ length }) => length >= SECRET_CHARACTERS_MIN,
  )
  return (text) =>
    secrets.reduce((out, secret) => (out.includes(secret) ? out.replaceAll(secret, '[secret]') : out), text)
}

function collectSecrets({
  credentials,
  sharedCredentials,
  authConfigCredentials,
  scheme,
}: CredentialSources): string[] {
  const fields = scheme && fieldsByName(scheme.manifest)
  const isSecret = (name: string) =>
    fields?.get(name)?.secret ?? (SECRET_NAME.test(name) && !NEVER_SECRET.has(name))
  const secrets: string[] = []
  const collect = (values: Credentials) => {
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'string') {
        if (isSecret(name)) secrets.push(value)
      } else if (typeof value === 'object' && value !== null && !Array.isArray(value))
        collect(value as Credentials)
    }
  }
  for (const values of [credentials, sharedCredentials, authConfigCredentials]) collect(values)
  const { username, password } = credentials
  if (typeof username === 'string' && typeof password === 'string')
    secrets.push(Buffer.from(`${username}:${password}`).toString('base64'))
  const encodedSecrets = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    // As many PHP applications write JSON.
    JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  ])
  // The longest first: one secret may contain another.
  return [...new Set(encodedSecrets)].sort((a, b) => b.length - a.length)
}
