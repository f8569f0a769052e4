import { writeFileSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const TOOL = 'ROTATING_GET_ME'

/** A process says in each token request which it is: `<server>.<how often it was killed before>`. */
export const PROCESS_HEADER = 'x-chaos-process'

/** The program as it stands here, in a folder of its own whose only toolkit speaks with the provider at `url`. */
export interface Copy {
  root: string
  /** What the next process says it is. */
  name(process: string): void
}

export async function copyProgram(root: string, url: string, reuseGraceSeconds: number): Promise<Copy> {
  const toolkit = await copyWithToolkit(root, 'rotating', { 'tools.json': { tools: [GET_ME] } })
  return {
    root,
    name: (process) =>
      writeFileSync(join(toolkit, 'toolkit.json'), JSON.stringify(manifest(url, reuseGraceSeconds, process))),
  }
}

/** The program without its toolkits but one, of these files; answers the folder of that. */
export async function copyWithToolkit(
  root: string,
  slug: string,
  files: Readonly<Record<string, object>>,
): Promise<string> {
  for (const part of ['bin', 'src', 'migrations', 'package.json'])
    await cp(join(ROOT, part), join(root, part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return addToolkit(root, slug, files)
}

/** Adds a toolkit of these files to a copy of the program, and returns its folder. */
export async function addToolkit(
  root: string,
  slug: string,
  files: Readonly<Record<string, object>>,
): Promise<string> {
  const toolkit = join(root, 'toolkits', slug)
  await mkdir(toolkit, { recursive: true })
  await cp(join(ROOT, 'toolkits', 'parse', 'icon.svg'), join(toolkit, 'icon.svg'))
  for (const [name, content] of Object.entries(files))
    await writeFile(join(toolkit, name), JSON.stringify(content))
  return toolkit
}

/** The files of the toolkit whose provider rotates refresh tokens. */
export const rotatingFiles = (url: string, reuseGraceSeconds: number) => ({
  'toolkit.json': manifest(url, reuseGraceSeconds, 'any'),
  'tools.json': { tools: [GET_ME] },
})

const manifest = (url: string, reuseGraceSeconds: number, process: string) => ({
  slug: 'rotating',
  name: 'Rotating',
  description: 'Gives a new refresh token at each use and ends the grant when an old one comes back.',
  categories: ['identity'],
  created: '2026-11-21',
  releases: [{ version: '20261121_00', changes: 'First release.' }],
  base_url: `${url}/rotating`,
  auth: [
    {
      scheme: 'OAUTH2',
      authorize: { url: `${url}/rotating/authorize` },
      token: { url: `${url}/rotating/token`, headers: { [PROCESS_HEADER]: process } },
      refresh: {
        rotates: 'always',
        ...(reuseGraceSeconds ? { reuse_grace_seconds: reuseGraceSeconds } : {}),
      },
    },
  ],
})

const GET_ME = {
  slug: TOOL,
  name: 'Get me',
  description: 'Returns who the token belongs to.',
  effect: 'read',
  input: { type: 'object', properties: {}, additionalProperties: false },
  output: { type: 'object', properties: {} },
  request: { method: 'GET', path: '/api/me' },
}
