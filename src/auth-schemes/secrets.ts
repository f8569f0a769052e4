import { fieldsByName, type Sources, type Values } from './values.ts'

const SECRET_NAME =
  /token|secret|password|(^|_)key|Key$|code_verifier|credentials|encoded|session|authorization/i
const NEVER_SECRET = new Set(['token_type', 'client_id'])
/** Shorter texts occur by chance; blanking them would spoil the message and protect nothing. */
const LENGTH_MIN = 6

/** A text of a provider without the credentials of the connection: some providers repeat a refused key in their error. */
export function withoutSecrets(text: string, sources: Sources, others: readonly string[] = []): string {
  return secretsHider(sources, others)(text)
}

/** As `withoutSecrets`, for many texts. */
export function secretsHider(sources: Sources, others: readonly string[] = []): (text: string) => string {
  const secrets = [...secretsIn(sources), ...others].filter(({ length }) => length >= LENGTH_MIN)
  return (text) =>
    secrets.reduce((out, secret) => (out.includes(secret) ? out.replaceAll(secret, '[secret]') : out), text)
}

function secretsIn({ val, shared, credentials, scheme }: Sources): string[] {
  const fields = scheme && fieldsByName(scheme.manifest)
  const isSecret = (name: string) =>
    fields?.get(name)?.secret ?? (SECRET_NAME.test(name) && !NEVER_SECRET.has(name))
  const found: string[] = []
  const collect = (values: Values) => {
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'string') {
        if (isSecret(name)) found.push(value)
      } else if (typeof value === 'object' && value !== null && !Array.isArray(value))
        collect(value as Values)
    }
  }
  for (const values of [val, shared, credentials]) collect(values)
  const { username, password } = val
  if (typeof username === 'string' && typeof password === 'string')
    found.push(Buffer.from(`${username}:${password}`).toString('base64'))
  const written = found.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ])
  // The longest first: one secret may hold another.
  return [...new Set(written)].sort((a, b) => b.length - a.length)
}
