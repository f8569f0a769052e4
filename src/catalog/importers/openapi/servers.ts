import type { FieldManifest } from '../../manifest/format/index.ts'
import type { Server } from '../model.ts'
import { inWords, plainText } from '../tools/words.ts'

/** Where an API answers: a template, and the fields of a connection that fill it. */
export interface Address {
  readonly template: string
  readonly fields: readonly FieldManifest[]
  /** It cannot be used without values of a connection. */
  readonly needsConnection: boolean
}

const ADDRESS_FIELD: FieldManifest = {
  name: 'base_url',
  display_name: 'Base URL',
  description: 'Base URL of the API, without a slash at the end.',
  pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
  example: 'https://api.example.com/v1',
}

/** The address that the document leaves open: every connection gives its own. */
export const openAddress: Address = { template: '{base_url}', fields: [ADDRESS_FIELD], needsConnection: true }

/**
 * Returns the open base URL with the path of the first server that has only a path (`basePath` of Swagger 2
 * without `host`, or `servers: [{url: /api/v1}]` of a document that was sent as a file).
 */
export function openAddressBelow(servers: readonly Server[]): Address {
  const path = servers
    .map(({ url }) => url.replace(/[?#].*$/, '').replace(/\/+$/, ''))
    .find((url) => /^\/[\w.~%/-]+$/.test(url) && !/(^|\/)\.{1,2}(\/|$)/.test(url))
  if (path === undefined) return openAddress
  const description = `Base URL of the API without ${path}, which is added to it.`
  const field = { ...ADDRESS_FIELD, description, example: 'https://api.example.com' }
  return { ...openAddress, template: `{base_url}${path}`, fields: [field] }
}

/**
 * The address of the API. Relative ones continue where the document came from. Of several, the first under
 * https that names a public host is taken; if others have no variables either, a connection may choose among
 * them.
 */
export function addressOf(servers: readonly Server[], from: string): Address | undefined {
  const usable = servers.flatMap((server) => compiled(server, from) ?? [])
  const [first] = [...usable].sort((a, b) => rank(a.template) - rank(b.template))
  if (!first || first.fields.length > 0) return first
  const choices = [
    ...new Set(
      usable
        .filter(({ fields, template }) => fields.length === 0 && !template.includes("'"))
        .map(({ template }) => template),
    ),
  ].slice(0, 20)
  if (choices.length < 2) return first
  return {
    template: `{server||'${first.template}'}`,
    needsConnection: false,
    fields: [
      {
        name: 'server',
        display_name: 'Server',
        description: `Which server to use; left blank, ${first.template}.`,
        required: false,
        enum: choices,
      },
    ],
  }
}

/** Lower is better: https before http, the public before the machine of the author. */
function rank(template: string): number {
  return (
    (template.startsWith('https://') || template.startsWith('{') ? 0 : 1) +
    (/^https?:\/\/(localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|\[)/.test(template) ? 4 : 0)
  )
}

/** One server as an address, or nothing if it is none. */
export function compiled({ url, variables }: Server, from: string): Address | undefined {
  // A scheme is no value that a person could fill in.
  const source = url
    .replace(/^\{[^}]*(scheme|protocol)[^}]*\}(?=:\/\/)/i, 'https')
    .replace(/^\/\/(?=[^/])/, 'https://')
    .replace(/[?#].*$/, '')
    .trim()
  const whole = /^https?:\/\//i.test(source) || /^\{[^{}]+\}/.test(source) ? source : joinPath(source, from)
  if (whole === undefined) return undefined
  if (/[{}]/.test(whole.replace(/\{[^{}]+\}/g, ''))) return undefined
  const fields: FieldManifest[] = []
  let needsConnection = false
  const parts = whole.split(/(\{[^{}]*\})/)
  const template = parts
    .map((part, index) => {
      if (!part.startsWith('{')) return part
      const wire = part.slice(1, -1)
      const name = fieldName(wire)
      const {
        default: fallback,
        enum: choices = [],
        description,
      } = variables.get(wire) ?? { default: undefined }
      const before = parts.slice(0, index).join('')
      const usable = fallback !== undefined && !fallback.includes("'") && fits(fallback, before)
      if (!usable) needsConnection = true
      if (!fields.some((field) => field.name === name)) {
        fields.push({
          name,
          display_name: inWords(wire),
          description:
            plainText(description ?? '', 200) ||
            `The ${inWords(wire).toLowerCase()} in the address of the API.`,
          ...(usable && { required: false, default: fallback }),
          ...(choices.length > 0 && choices.length <= 60 && { enum: choices.slice() }),
        })
      }
      return `{${before === '' || isHost(before) ? '' : '+'}${name}${usable ? `||'${fallback}'` : ''}}`
    })
    .join('')
    .replace(/\/+$/, '')
  // What is written in the address itself must be one; places are judged when they are filled.
  if (
    !/^(https?:\/\/[^\s/@]+(\/[^\s]*)?|\{[^}]+\}[^\s]*)$/i.test(template) ||
    !URL.canParse(sample(template))
  )
    return undefined
  return { template, fields, needsConnection }
}

const isHost = (before: string) => /^https?:\/\/[^/]*$/i.test(before)

/** Whether a default can stand where its place is. */
function fits(value: string, before: string): boolean {
  if (before === '') return /^https?:\/\/[^\s@?#]+$/.test(value)
  return isHost(before)
    ? /^[\p{L}\p{N}]([\p{L}\p{N}._-]*[\p{L}\p{N}])?(:\d+)?$/u.test(value)
    : value !== '' && /^[\w.~/-]+$/.test(value) && !/(^|\/)\.{1,2}(\/|$)/.test(value)
}

function joinPath(path: string, from: string): string | undefined {
  // `api.example.com/v1` is a host without its scheme.
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(\/|$)/i.test(path) && !path.startsWith('.')) return `https://${path}`
  if (!/^https?:/.test(from) || !URL.canParse(path, from)) return undefined
  return new URL(path, from).href.replaceAll('%7B', '{').replaceAll('%7D', '}')
}

/** With every place filled somehow. */
const sample = (template: string) =>
  template.replace(/^\{[^}]*\}/, 'https://x.example').replace(/\{[^}]*\}/g, '1')

/** A name that a field may have, for one that a document gave. */
export function fieldName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '')
  return (/^[A-Za-z]/.test(plain) ? plain : `v_${plain}`).slice(0, 60)
}
