import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Verdict {
  faults: string[]
}

const root = join(import.meta.dirname, '..')
const TEXT =
  /\.(ts|js|json|sql|md|sh|yml|yaml|toml|css|html|svg|txt)$|(^|\/)(run|Dockerfile|\.env\.example|\.npmrc|\.gitignore)$/
/**
 * Contents that tie a file to one machine, or that are not meant for readers. This file spells them, so it is
 * not read.
 */
const FORBIDDEN: readonly [RegExp, string][] = [
  [/(?<![\w.)}\]$])\/(work|root|home\/(?!user\b)\w+|Users\/\w+)\/[\w.]/, 'a path of one machine'],
  [
    /"resolved": ?"|https?:\/\/[^/\s"']*(artifactory|nexus|verdaccio|npm-?(proxy|mirror|cache))/i,
    'a package registry of one place',
  ],
  [/\b(helper session|sub-?agents?|as an ai\b|ai assistant)\b/i, 'a word about how the text came to be'],
  [/^(<{7}|>{7}) |^={7}$/m, 'a merge conflict'],
  // A bound on what does not end is `endsWithin`, `endsSoon` or `until`; speed is measured by the benches.
  [/\bassert\b[^\n]*\bperformance\.now\(\)/, 'an assertion on clock time'],
]

/** Returns the tracked files; in a copy without git, the text files that exist. */
export function trackedFiles(): string[] {
  try {
    return execFileSync('git', ['ls-files', '-z'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    })
      .toString()
      .split('\0')
      .filter(Boolean)
  } catch {
    return textFilesOf(root)
  }
}

/** Returns the text files of a copy without git. Tests that run at the same time write to `tmp`. */
export const textFilesOf = (folder: string): string[] =>
  globSync('**/*', {
    cwd: folder,
    exclude: (name) => ['node_modules', '.git', '.patchbay', 'tmp'].includes(name),
  }).filter((name) => TEXT.test(name))

function* texts(): Generator<[file: string, text: string]> {
  for (const file of trackedFiles().filter((name) => TEXT.test(name))) {
    let text: string
    try {
      text = readFileSync(join(root, file), 'utf8')
    } catch {
      continue
    } // deleted and not committed yet
    yield [file, text]
  }
}

/** Reports the first occurrence of each kind in a text. */
export function forbidden(file: string, text: string): string[] {
  return FORBIDDEN.flatMap(([pattern, what]) => {
    const found = pattern.exec(text)
    return found
      ? [`${file}:${text.slice(0, found.index).split('\n').length}: ${what}: ${found[0].trim().slice(0, 80)}`]
      : []
  })
}

const LINE_COLUMNS_MAX = 120
/** Data, translations and generated code. Their lines are divided by what writes them. */
const WIDE_FILES = /generated|\/pages\/language\/|^test\/sandbox\/\w+-attempts/
/**
 * What cannot be divided: a regular expression, also as text; the title of a test; an import; a text without a space;
 * an address.
 */
const INDIVISIBLE: readonly RegExp[] = [
  /^(?:const \w+ = |return |\w+: |\? |: |\[)?\/.*\/[a-z]*(?:\.\w+\()?[\]),;]*$/,
  /\bString\.raw`/,
  /^(?:await )?(?:t\.)?test\(/,
  /^(?:import|export) .* from /,
  /^(?:\S+: ?)?['"`]\S+['"`][,;)\]]*$/,
  /^\S*https?:\/\/\S+$/,
]

/** Reports lines of code that are wider than editors show. */
export function wideLines(file: string, text: string): string[] {
  if (!/\.tsx?$/.test(file) || WIDE_FILES.test(file)) return []
  return text.split('\n').flatMap((line, index) => {
    const isWide = line.length > LINE_COLUMNS_MAX && !INDIVISIBLE.some((form) => form.test(line.trim()))
    return isWide
      ? [
          `${file}:${index + 1}: ${line.length} columns: divide the line, at most ${LINE_COLUMNS_MAX} are allowed`,
        ]
      : []
  })
}

/** Code that runs for each call. */
const CALL_PATH = /^src\/(platform|engine|features|auth-schemes)\/.*(?<!\.test)\.ts$/
const FUNCTION_AS_PROPERTY =
  /^\s*[\w.[\]]+\.#?\w+ (?:\?\?|\|\|)?= (?:async )?(?:\([^=]*\)(?:: [^=]+)? =>|\w+ =>|function\b)/

/**
 * Reports functions that are assigned to a property: V8 creates them in its old generation, and with them all that they
 * refer to stays in memory until V8 marks the whole heap (decision 285).
 */
export function functionsAsProperties(file: string, text: string): string[] {
  if (!CALL_PATH.test(file)) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      FUNCTION_AS_PROPERTY.test(line)
        ? [`${file}:${index + 1}: assign the function to a constant first (decision 285): ${line.trim()}`]
        : [],
    )
}

export function fileContents(): Verdict {
  const faults: string[] = []
  let read = 0
  for (const [file, text] of texts()) {
    read++
    if (file === 'scripts/file-gates.ts') continue
    faults.push(...forbidden(file, text), ...wideLines(file, text), ...functionsAsProperties(file, text))
  }
  return { faults: read > 100 ? faults : ['no files were read'] }
}

type Packages = Readonly<Record<string, Record<string, Record<string, string>> & { version?: string }>>
interface PackageFile extends Record<string, unknown> {
  packages: Packages
}

/** Requires exact versions that agree with the lock file, so that what was tested is what is installed. */
export function dependencies(): Verdict {
  const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as PackageFile
  const manifest = json('package.json') as unknown as Record<string, Record<string, string>>
  const { packages } = json('package-lock.json')
  const faults = ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((group) =>
    Object.entries(manifest[group] ?? {}).flatMap(([name, version]) => [
      ...(/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)
        ? []
        : [`${group}: ${name} is ${version}, not one version`]),
      ...(packages['']?.[group]?.[name] === version && packages[`node_modules/${name}`]?.version === version
        ? []
        : [`${group}: ${name} ${version} is not what package-lock.json has`]),
    ]),
  )
  return { faults: [...faults, ...missingBindings(packages)] }
}

/**
 * Reports optional dependencies that the lock file lacks: `npm ci` rejects such a file. npm leaves out the binaries of
 * other platforms when a registry does not serve them; they are added to the file by hand.
 */
export function missingBindings(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
      .map((name) => `package-lock.json lacks ${name}, an optional dependency of ${path || 'this package'}`),
  )
}
