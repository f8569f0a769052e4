import { compileTemplate, type Lookup, render, renderOptional, type Template } from '../../catalog/index.ts'

/**
 * Compiled templates. The number of texts in manifests is limited, and a signature uses its own at every
 * request.
 */
const COMPILED = new Map<string, Template>()

function compileCached(source: string): Template {
  let template = COMPILED.get(source)
  if (!template) COMPILED.set(source, (template = compileTemplate(source)))
  return template
}

/** Fills a template of a manifest. @throws MissingValue */
export const fillTemplate = (source: string, lookup: Lookup): string => render(compileCached(source), lookup)

/** Fills a template; returns undefined for a missing text or one whose `{name?}` has no value. */
export const fillOptionalTemplate = (source: string | undefined, lookup: Lookup): string | undefined =>
  source === undefined ? undefined : renderOptional(compileCached(source), lookup)

/** Fills a map of templates; fields without a value are omitted. */
export function fillTemplates(
  texts: Readonly<Record<string, string>> | undefined,
  lookup: Lookup,
): Record<string, string> {
  const filled = Object.entries(texts ?? {}).map(
    ([name, text]) => [name, fillOptionalTemplate(text, lookup)] as const,
  )
  return Object.fromEntries(
    filled.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
  )
}

/**
 * Fills a template as bytes: values of `bytes` are inserted unchanged, whatever their encoding.
 * @throws MissingValue
 */
export function fillTemplateBytes(
  source: string,
  lookup: Lookup,
  bytes: Readonly<Record<string, Buffer>>,
): Buffer {
  const template = compileCached(source)
  const asText: Lookup = (name) => (Object.hasOwn(bytes, name) ? bytes[name]!.toString() : lookup(name))
  return Buffer.concat(
    template.parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part)
      const [only] = part.alternatives
      const raw =
        only && 'name' in only && part.filters.length === 0 && Object.hasOwn(bytes, only.name)
          ? bytes[only.name]
          : undefined
      return raw ?? Buffer.from(render({ ...template, parts: [part] }, asText))
    }),
  )
}
