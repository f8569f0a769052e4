import type { UploadRequest } from '../../../contract/files.ts'
import { type ApiRequest, useScreenRequest } from '../../api/index.ts'
import { CodeBlock } from '../../components/index.ts'
import { RequestCode } from '../../shell/request-code.tsx'
import { shellWord } from '../../shell/samples/http.ts'

/** The upload of a file as code: the request for it, and the transfer of its content. */
export function UploadCode({ request }: { request: ApiRequest }) {
  useScreenRequest(request)
  const { filename, mimetype } = request.body as UploadRequest
  const transfer = [
    `curl -X PUT --data-binary ${shellWord(`@${filename}`)}`,
    `-H ${shellWord(`content-type: ${mimetype}`)} "$NEW_PRESIGNED_URL"`,
  ].join(' \\\n  ')
  return (
    <>
      <RequestCode request={request} />
      <p className="hint">
        Then send the content to <code>new_presigned_url</code> of the response. Its <code>key</code> is{' '}
        <code>s3key</code> in the arguments below.
      </p>
      <CodeBlock label={`Content of ${filename}`} code={transfer} />
    </>
  )
}
