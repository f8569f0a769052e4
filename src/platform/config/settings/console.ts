import { consoleSignInSettings } from '../console-sign-in-settings.ts'
import { oneOf } from '../rules.ts'
import type { SomeSettings } from './setting.ts'

/** Settings of the console and the sign-in to it. */
export const consoleSettings = {
  console: {
    name: 'CONSOLE',
    rule: oneOf('on', 'off'),
    default: 'on',
    description: 'Whether the server has the console for people, at `/console`.',
  },
  consoleDev: {
    name: 'CONSOLE_DEV',
    rule: oneOf('0', '1'),
    default: '0',
    description: 'For work on the console: `1` builds it again for every page load.',
  },
  ...consoleSignInSettings,
} satisfies SomeSettings
