import { settings, type Setting } from './settings.ts'

const table = Object.values<Setting<unknown>>(settings)

/** The text of `.env.example`. Every line is a comment: a copy of it changes nothing until it is edited. */
export function envExample(): string {
  const blocks = table.map((setting) =>
    [
      ...[...wrapped(setting.description, 116), ...wrapped(valueLine(setting.rule.must), 116)].map(
        (line) => `# ${line}`,
      ),
      ...(setting.defaultMeans ? [`# Default: ${plain(setting.defaultMeans)}.`] : []),
      `#${setting.name}=${setting.example ?? String(setting.default)}`,
    ].join('\n'),
  )
  return (
    `# Settings of Patchbay. Copy this file to .env in the directory where the server starts; what the environment sets wins.\n` +
    `# Written by scripts/write-config-reference.ts; docs/reference/configuration.md has the same in full.\n\n${blocks.join('\n\n')}\n`
  )
}

/** The text of `docs/reference/configuration.md`. */
export function configurationPage(): string {
  const sections = table.map((setting) =>
    [
      `### ${setting.name}`,
      '',
      setting.description,
      '',
      `- Value: ${setting.rule.must}.`,
      `- Default: ${setting.defaultMeans ?? `\`${String(setting.default)}\``}.`,
      ...(setting.example ? [`- Example: \`${setting.example}\``] : []),
      ...(setting.secret ? ['- Secret: its value is in no message.'] : []),
    ].join('\n'),
  )
  return `${introduction}\n${sections.join('\n\n')}\n`
}

const introduction = `# Configuration

<!-- Written by scripts/write-config-reference.ts from src/platform/config/settings.ts. Do not edit. -->

Nothing has to be set. Settings are environment variables, and lines of a file \`.env\` in the directory where the server starts.

- Each setting has two names, \`NAME\` and \`PATCHBAY_NAME\`. If both are set, \`PATCHBAY_NAME\` wins.
- The environment wins over \`.env\`, whichever of the two names is used where.
- An empty value is the same as no value.
- The server does not start with a value that breaks its rule, with a variable \`PATCHBAY_…\` that is no setting, or with a name in
  \`.env\` that is no setting. It then lists everything that is wrong at once.
- Left alone are \`PATCHBAY_URL\`, \`PATCHBAY_API_KEY\` and \`PATCHBAY_ORG_API_KEY\`, which the command line client reads, and what
  Kubernetes sets for a service named \`patchbay\` (\`PATCHBAY_SERVICE_HOST\`, \`PATCHBAY_PORT=tcp://…\` and the like).

## Settings
`

function valueLine(text: string): string {
  return `Value: ${plain(text)}.`
}

function plain(text: string): string {
  return text.replaceAll('`', '')
}

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    if (lines.at(-1)!.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trim()
  }
  return lines
}
