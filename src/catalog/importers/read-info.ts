import { type Json, list, object, own, text, texts } from './json.ts'
import type { Server } from './model.ts'

const address = (value: unknown) => {
  const found = text(value)?.trim()
  return found && /^https?:\/\/[^\s"<>]+$/.test(found) && URL.canParse(found) ? found : undefined
}

/** Who the API is; both dialects say it alike. */
export function readInfo(root: Json) {
  const info = object(own(root, 'info'))
  return {
    title: text(own(info, 'title')) ?? '',
    description: text(own(info, 'description')),
    version: text(own(info, 'version')),
    documentation: address(own(own(root, 'externalDocs'), 'url')),
    contact: address(own(own(info, 'contact'), 'url')),
    logo: address(own(own(info, 'x-logo'), 'url')),
    categories: texts(own(info, 'x-apisguru-categories')),
    service: text(own(info, 'x-serviceName')),
  }
}

export function readServers(value: unknown): Server[] {
  return list(value).flatMap((one): Server[] => {
    const url = own(one, 'url')
    if (typeof url !== 'string') return []
    const variables = Object.entries(object(own(one, 'variables'))).map(
      ([name, variable]) =>
        [
          name,
          {
            default: scalar(own(variable, 'default')),
            enum: list(own(variable, 'enum'))
              .map(scalar)
              .filter((word) => word !== undefined),
            description: text(own(variable, 'description')),
          },
        ] as const,
    )
    return [{ url: url.trim(), description: text(own(one, 'description')), variables: new Map(variables) }]
  })
}

/** YAML reads `default: 8443` as a number. */
const scalar = (value: unknown) =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined
