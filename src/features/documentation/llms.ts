import type { DocumentationGroup, Pages } from './pages.ts'

const SUMMARY =
  'Patchbay is an open, self-hosted integration platform for AI agents: toolkits and tools, the connected accounts ' +
  'of your users, and the execution of tools with them.'

/** Returns the overview for language models (https://llmstxt.org): every page with its URL and summary. */
export function llmsText(groups: readonly DocumentationGroup[], publicUrl: string): string {
  const parts = groups.map(({ title, pages }) =>
    [
      `## ${title}`,
      '',
      ...pages.map(
        (page) => `- [${page.title}](${publicUrl}/docs/${page.path})${page.summary && `: ${page.summary}`}`,
      ),
    ].join('\n'),
  )
  return `${[
    '# Patchbay',
    `> ${SUMMARY}`,
    `All guides in one file: ${publicUrl}/llms-full.txt. The API as OpenAPI 3.1: ` +
      `${publicUrl}/openapi.json?api=v3.1; for one operation of it, add \`&operation=tools.execute\`. The same as ` +
      `Markdown: ${publicUrl}/reference.md, and one operation as ${publicUrl}/reference/tools.execute.md.`,
    ...parts,
  ].join('\n\n')}\n`
}

/** Returns the guides in one text. Reference pages are left out: they are long and have a URL of their own. */
export async function llmsFullText(pages: Pages, publicUrl: string): Promise<string> {
  const guides = (await pages.listGroups())
    .flatMap((group) => group.pages)
    .filter(({ path }) => path.startsWith('guides/'))
  const texts = await Promise.all(
    guides.map(async ({ path }) => `<!-- ${publicUrl}/docs/${path} -->\n\n${await pages.readText(path)}`),
  )
  return texts.join('\n\n')
}
