import { PREFIX } from '../../api/index.ts'

/** The logo of a toolkit. Decorative: its name is always next to it. */
export const ToolkitLogo = ({ slug }: { slug: string }) => (
  <img className="logo" src={`${PREFIX}/logos/${slug}.svg`} alt="" width={36} height={36} loading="lazy" />
)
