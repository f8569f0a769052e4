import { type Json, list, object, getOwn, nonEmptyString, texts } from '../json.ts'
import type { Server } from '../model.ts'

const address = (value: unknown) => {
  const found = nonEmptyString(value)?.trim()
  return found && /^https?:\/\/[^\s"<>]+$/.test(found) && URL.canParse(found) ? found : undefined
}

/** Who the API is; both dialects say it alike. */
export function readInfo(root: Json) {
  const info = object(getOwn(root, 'info'))
  return {
    title: nonEmptyString(getOwn(info, 'title')) ?? '',
    description: nonEmptyString(getOwn(info, 'description')),
    version: nonEmptyString(getOwn(info, 'version')),
    documentation: address(getOwn(getOwn(root, 'externalDocs'), 'url')),
    contact: address(getOwn(getOwn(info, 'contact'), 'url')),
    logo: address(getOwn(getOwn(info, 'x-logo'), 'url')),
    categories: texts(getOwn(info, 'x-apisguru-categories')),
    service: nonEmptyString(getOwn(info, 'x-serviceName')),
  }
}

export function readServers(value: unknown): Server[] {
  return list(value).flatMap((one): Server[] => {
    const url = getOwn(one, 'url')
    if (typeof url !== 'string') return []
    const variables = Object.entries(object(getOwn(one, 'variables'))).map(
      ([name, variable]) =>
        [
          name,
          {
            default: scalar(getOwn(variable, 'default')),
            enum: list(getOwn(variable, 'enum'))
              .map(scalar)
              .filter((word) => word !== undefined),
            description: nonEmptyString(getOwn(variable, 'description')),
          },
        ] as const,
    )
    return [
      {
        url: url.trim(),
        description: nonEmptyString(getOwn(one, 'description')),
        variables: new Map(variables),
      },
    ]
  })
}

/** YAML reads `default: 8443` as a number. */
const scalar = (value: unknown) =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined
