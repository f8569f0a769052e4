import { directory, matching, oneOf, optional, publicUrl, wholeNumber } from '../rules.ts'
import type { SomeSettings } from './setting.ts'

/** Settings of the workbench, which runs code of sessions. */
export const workbenchSettings = {
  workbenchDriver: {
    name: 'WORKBENCH_DRIVER',
    rule: oneOf('wasm', 'bubblewrap', 'remote', 'disabled'),
    default: 'wasm',
    description:
      'How code of agents runs (the meta tools REMOTE_WORKBENCH and REMOTE_BASH_TOOL): `wasm` in WebAssembly, in one ' +
      'process per session without network and files of this machine; `bubblewrap` with Python and bash of this ' +
      'machine in namespaces of Linux; `remote` in the sandbox service of WORKBENCH_REMOTE_URL; `disabled` not at ' +
      'all. See docs/guides/workbench.md.',
  },
  workbenchRemoteUrl: {
    name: 'WORKBENCH_REMOTE_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'WORKBENCH_DRIVER=remote is rejected',
    example: 'https://sandboxes.internal/v1',
    description:
      'The URL of the sandbox service for WORKBENCH_DRIVER=remote. It implements the API of ' +
      'docs/guides/remote-sandboxes.md. Its IP address may be private.',
  },
  workbenchRemoteToken: {
    name: 'WORKBENCH_REMOTE_TOKEN',
    rule: optional(matching(/^[\x21-\x7e]{1,1000}$/, '1 to 1000 printable characters without spaces')),
    default: '',
    defaultMeans: 'no token is sent',
    example: 'sbx-…',
    secret: true,
    description: 'The bearer token for WORKBENCH_REMOTE_URL.',
  },
  workbenchSandboxesMax: {
    name: 'WORKBENCH_SANDBOXES_MAX',
    rule: wholeNumber(1, 10_000),
    default: '20',
    description:
      'The number of sandboxes of this process, and at most one for each 250 MB of WORKBENCH_MEMORY_MEGABYTES. When ' +
      'all are started, the one that was idle for the longest time is replaced.',
  },
  workbenchMemoryMegabytes: {
    name: 'WORKBENCH_MEMORY_MEGABYTES',
    rule: optional(wholeNumber(250, 10_000_000)),
    default: '',
    defaultMeans:
      'the memory of the machine or container, divided by WORKERS, without 1,300 MB for the server and an ' +
      'import, and at least 400',
    example: '4000',
    description:
      'The memory of all sandboxes of this process together. A sandbox has at most this much, also if its session ' +
      'names a larger size. If all together need more, the largest is stopped.',
  },
  workbenchWarm: {
    name: 'WORKBENCH_WARM',
    rule: wholeNumber(0, 100),
    default: '1',
    description:
      'The number of sandboxes that are started in advance, after the first session has used one. They make the ' +
      'first call of a session fast.',
  },
  workbenchPackagesDir: {
    name: 'WORKBENCH_PACKAGES_DIR',
    rule: optional(directory),
    default: '',
    defaultMeans: 'code has the standard library of Python only',
    description:
      'A folder of Python packages (wheels) that code can import with WORKBENCH_DRIVER=wasm. The hash of each ' +
      'must be ' +
      'in the list of Pyodide or in the file SHA256SUMS of the folder. See docs/guides/workbench.md.',
  },
  workbenchIdleMinutes: {
    name: 'WORKBENCH_IDLE_MINUTES',
    rule: wholeNumber(1, 10_000),
    default: '10',
    description: 'A sandbox stops after this time without a call. Its variables are lost; /mnt/files stays.',
  },
  workbenchHoursMax: {
    name: 'WORKBENCH_HOURS_MAX',
    rule: wholeNumber(1, 1_000),
    default: '24',
    description: 'The maximum age of a sandbox. It is replaced before the first call after that time.',
  },
  workbenchMegabytesPerSession: {
    name: 'WORKBENCH_MEGABYTES_PER_SESSION',
    rule: wholeNumber(1, 1_000_000),
    default: '1000',
    description: 'The total size of the files that code of one session may store in /mnt/files.',
  },
  workbenchSearchTool: {
    name: 'WORKBENCH_SEARCH_TOOL',
    rule: optional(matching(/^[A-Z][A-Z0-9_]{1,63}$/, 'the slug of a tool: capital letters, digits and _')),
    default: '',
    defaultMeans: 'web_search returns an error',
    example: 'EXA_SEARCH',
    description: 'The tool that the helper `web_search` of the workbench runs, with the argument `query`.',
  },
} satisfies SomeSettings
