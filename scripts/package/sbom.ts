import { createHash } from 'node:crypto'

interface LockedPackage {
  version?: string
  name?: string
  resolved?: string
  integrity?: string
  license?: string
  dev?: boolean
  optional?: boolean
  dependencies?: Readonly<Record<string, string>>
  optionalDependencies?: Readonly<Record<string, string>>
}
export interface LockFile {
  packages: Readonly<Record<string, LockedPackage>>
}

const NODE_MODULES = 'node_modules/'
/** One identifier of SPDX, not an expression such as `MIT OR Apache-2.0`. */
const SPDX_ID = /^[A-Za-z0-9.+-]+$/

const nameOf = (path: string, { name }: LockedPackage): string =>
  name ?? path.slice(path.lastIndexOf(NODE_MODULES) + NODE_MODULES.length)

/** Package URL of an npm package (https://github.com/package-url/purl-spec). */
const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace(/^@/, '%40')}@${encodeURIComponent(version)}`

/** `sha512-<base64>` of the lock file, as CycloneDX writes hashes. */
function hashesOf({ integrity = '' }: LockedPackage) {
  return [...integrity.matchAll(/sha(256|384|512)-([A-Za-z0-9+/=]+)/g)].map(([, bits, base64]) => ({
    alg: `SHA-${bits}`,
    content: Buffer.from(base64 as string, 'base64').toString('hex'),
  }))
}

/** Finds the package that a package imports: in its own `node_modules`, then in those of the folders above. */
function resolvePath(packages: LockFile['packages'], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf(NODE_MODULES) - 1, 0))) {
    const path = `${folder === '' ? '' : `${folder}/`}${NODE_MODULES}${name}`
    if (packages[path]) return path
    if (folder === '') return undefined
  }
}

const licenseOf = ({ license }: LockedPackage) =>
  license === undefined
    ? {}
    : { licenses: [SPDX_ID.test(license) ? { license: { id: license } } : { expression: license }] }

/**
 * Returns the bill of materials of the npm package in CycloneDX 1.6: every package that an installation without
 * development dependencies has, with version, hash and license. The same lock file always gives the same document.
 * Format: https://cyclonedx.org/docs/1.6/json/
 */
export function billOfMaterials({ packages }: LockFile): object {
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
  const refOf = (path: string): string => {
    const item = packages[path] as LockedPackage
    return purlOf(nameOf(path, item), item.version ?? '0.0.0')
  }
  const component = (path: string, item: LockedPackage) => ({
    type: path === '' ? 'application' : 'library',
    'bom-ref': refOf(path),
    name: nameOf(path, item),
    version: item.version,
    purl: refOf(path),
    ...licenseOf(item),
  })
  const byRef = new Map(
    installed.map(([path, item]) => [
      refOf(path),
      {
        ...component(path, item),
        scope: item.optional ? 'optional' : 'required',
        ...(item.integrity && { hashes: hashesOf(item) }),
        ...(item.resolved && { externalReferences: [{ type: 'distribution', url: item.resolved }] }),
      },
    ]),
  )
  const dependsOn = new Map<string, Set<string>>()
  for (const [path, item] of [['', packages[''] ?? {}] as const, ...installed]) {
    const targets = dependsOn.get(refOf(path)) ?? new Set<string>()
    for (const name of Object.keys({ ...item.dependencies, ...item.optionalDependencies })) {
      const target = resolvePath(packages, path, name)
      if (target !== undefined) targets.add(refOf(target))
    }
    dependsOn.set(refOf(path), targets)
  }
  const components = [...byRef.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const digest = createHash('sha256').update(JSON.stringify(components)).digest('hex')
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${toUuid(digest)}`,
    version: 1,
    metadata: { component: component('', packages[''] ?? {}) },
    components,
    dependencies: [...dependsOn]
      .map(([ref, targets]) => ({ ref, dependsOn: [...targets].sort() }))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  }
}

/** A UUID of version 8 (RFC 9562), whose bits are chosen by the application. */
const toUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
