import type { Command, Help } from 'commander'

/** Formats the first help screen: commands come before options. */
export function formatRootHelp(program: Command, helper: Help): string {
  const width = helper.padWidth(program, helper)
  const item = (term: string, description: string) => helper.formatItem(term, width, description, helper)
  const options = helper.groupItems(
    [...program.options],
    helper.visibleOptions(program),
    (option) => option.helpGroupHeading ?? 'Options:',
  )
  const commands = helper.groupItems(
    [...program.commands],
    helper.visibleCommands(program),
    (command) => command.helpGroup() || 'Commands:',
  )
  const sections = [
    ...[...commands].map(([heading, list]) =>
      helper.formatItemList(
        heading,
        list.map((one) => item(one.name(), helper.subcommandDescription(one))),
        helper,
      ),
    ),
    ...[...options].map(([heading, list]) =>
      helper.formatItemList(
        heading,
        list.map((one) => item(helper.optionTerm(one), helper.optionDescription(one))),
        helper,
      ),
    ),
  ]
  return [
    `${helper.commandDescription(program)}`,
    '',
    `${helper.styleTitle('Usage:')} patchbay <command> [options]`,
    '',
    ...sections.flat(),
  ]
    .join('\n')
    .replace(/\n*$/, '\n')
}
