import { CONTENT_CATEGORIES } from '../../../contract/policies/content-categories.ts'
import { OneOfText } from './shapes.ts'

/** The content of other people in the results of a tool, or of all tools of a toolkit. */
export const UntrustedContent = OneOfText([...CONTENT_CATEGORIES, 'none'], {
  description:
    'Kind of content that other people wrote in results. Sessions that read it are marked for policies. Default: ' +
    'that of the toolkit, which follows from its categories. `none`: results hold only what the server or the ' +
    'account itself states.',
})
