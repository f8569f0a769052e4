import type { Toolkit } from '../../src/catalog/index.ts'

/** The base URLs of all regions and editions: `https://{api_host}` is one for each. */
export function withVariants(base: string, { schemes }: Toolkit): string[] {
  const values = schemes.flatMap(({ manifest }) =>
    (manifest.variants ?? []).flatMap((variant) => Object.values(variant.values)),
  )
  return [
    base,
    ...values.flatMap((brought) =>
      Object.entries(brought)
        .filter(([name]) => base.includes(`{${name}}`))
        .map(([name, value]) => base.replace(`{${name}}`, value)),
    ),
  ]
}

/** Scheme and host of a URL, also of one with placeholders. */
export const originOf = (url: string): string => url.split('/', 3).join('/')
