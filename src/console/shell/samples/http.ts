// A request of the API as code. The functions are pure: the page passes the URL of its server.

/** A request and the complete URL that it is sent to. */
export interface SampleRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path below `/api/v3.1`. */
  path: string
  query?: Readonly<Record<string, unknown>> | undefined
  headers?: Readonly<Record<string, string>> | undefined
  body?: unknown
  url: string
}

const ORGANIZATION = /^\/(system$|org\/(?!project\b|consumer\b))/

/** Whether an operation needs a key of the organization. */
export const isOrganization = ({ path }: Pick<SampleRequest, 'path'>): boolean => ORGANIZATION.test(path)
const keyHeader = (request: SampleRequest): string =>
  isOrganization(request) ? 'x-org-api-key' : 'x-api-key'

/** Quotes a word for a POSIX shell, if it needs quotes. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

export function asCurl(request: SampleRequest): string {
  const { method = 'GET', body, url, headers = {} } = request
  return [
    `curl -s${method === 'GET' ? '' : ` -X ${method}`} '${url.replaceAll("'", '%27')}'`,
    `-H "${keyHeader(request)}: $API_KEY"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d ${shellWord(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

export function asTypeScript(request: SampleRequest): string {
  const { method = 'GET', body, url, headers = {} } = request
  const own = Object.entries(headers).map(
    ([name, value]) => `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  const type = body === undefined ? '' : `, 'content-type': 'application/json'`
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: { '${keyHeader(request)}': process.env.API_KEY${own.join('')}${type} },`,
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`]),
    '})',
    'if (!response.ok) throw new Error(await response.text())',
    'console.log(await response.json())',
  ].join('\n')
}

export function asPython(request: SampleRequest): string {
  const { method = 'GET', body, url, headers = {} } = request
  const own = Object.entries(headers).map(
    ([name, value]) => `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  return [
    'import os',
    'import requests',
    '',
    `response = requests.request(`,
    `    "${method}",`,
    `    ${JSON.stringify(url)},`,
    `    headers={"${keyHeader(request)}": os.environ["API_KEY"]${own.join('')}},`,
    ...(body === undefined ? [] : [`    json=${pythonLiteral(body, 1)},`]),
    '    timeout=70,',
    ')',
    'response.raise_for_status()',
    'print(response.json())',
  ].join('\n')
}

/** Writes a JSON value as Python does. JSON texts are valid Python texts. */
function pythonLiteral(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const parts = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, depth + 1))
    : Object.entries(value).map(
        ([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, depth + 1)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return `${open}${close}`
  const indent = '    '.repeat(depth)
  return `${open}\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}${close}`
}
