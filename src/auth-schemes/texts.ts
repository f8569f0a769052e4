import { compileTemplate, type Lookup, render, renderOptional, type Template } from '../catalog/index.ts'

/** Texts of manifests, which are few; a signature would compile its own at every request. */
const COMPILED = new Map<string, Template>()

function compiled(source: string): Template {
  let template = COMPILED.get(source)
  if (!template) COMPILED.set(source, (template = compileTemplate(source)))
  return template
}

/** A template text of a manifest, filled. @throws MissingValue */
export const fillText = (source: string, lookup: Lookup): string => render(compiled(source), lookup)

/** As `fillText`; undefined for a text that is not there or whose `{name?}` has no value. */
export const fillOptional = (source: string | undefined, lookup: Lookup): string | undefined =>
  source === undefined ? undefined : renderOptional(compiled(source), lookup)

/** A map of them; members without a value are left out. */
export function fillTexts(
  texts: Readonly<Record<string, string>> | undefined,
  lookup: Lookup,
): Record<string, string> {
  const filled = Object.entries(texts ?? {}).map(
    ([name, text]) => [name, fillOptional(text, lookup)] as const,
  )
  return Object.fromEntries(
    filled.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
  )
}

/** As `fillText`, as bytes: values of `bytes` go in as they are, whatever their encoding. @throws MissingValue */
export function fillBytes(source: string, lookup: Lookup, bytes: Readonly<Record<string, Buffer>>): Buffer {
  const template = compiled(source)
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
