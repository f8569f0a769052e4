import { directory, nameList, optional } from '../rules.ts'
import type { SomeSettings } from './setting.ts'

/** Settings of toolkits that do not come with the program. */
export const toolkitsSettings = {
  toolkitsDir: {
    name: 'TOOLKITS_DIR',
    rule: optional(directory),
    default: '',
    defaultMeans: 'none',
    example: '/etc/patchbay/toolkits',
    description:
      'A folder with toolkits of your own for all projects, one folder for each. Changes are used without a ' +
      'restart. Code in it (`tools.ts`) runs in the server with all its rights. See docs/guides/toolkits-folder.md.',
  },
  toolkitsReplace: {
    name: 'TOOLKITS_REPLACE',
    rule: nameList,
    default: '',
    defaultMeans: 'none',
    example: 'github,slack',
    description:
      'The slugs of shipped toolkits that toolkits of TOOLKITS_DIR with the same slug replace. Without it, such a ' +
      'toolkit is not used.',
  },
} satisfies SomeSettings
