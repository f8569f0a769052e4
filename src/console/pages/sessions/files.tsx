import { useState } from 'react'
import type { downloadFromMount, listMountItems } from '../../../contract/sessions/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { may, useApiList, useApiMutation, useMe } from '../../api/index.ts'
import {
  ConfirmDialog,
  DateTime,
  FormError,
  IconButton,
  Loaded,
  Pagination,
  RestrictedForms,
  showToast,
} from '../../components/index.ts'

type MountFile = ReplyOf<typeof listMountItems>['items'][number]
type Download = ReplyOf<typeof downloadFromMount>

/** The files of a session, to download and to delete. `path` is that of the session in the API. */
export function Files({ path }: { path: string }) {
  const { data: me } = useMe()
  const mount = `${path}/mounts/files`
  const isAllowed = may(me, 'sessions:write')
  const files = useApiList<MountFile>({ path: `${mount}/items` })
  const [removed, setRemoved] = useState<MountFile>()
  const download = useApiMutation<MountFile, Download>(
    ({ mount_relative_path: file }) => ({
      method: 'POST',
      path: `${mount}/download_url`,
      body: { mount_relative_path: file },
    }),
    { onSuccess: ({ download_url: url }) => location.assign(url) },
  )
  return (
    <Loaded query={{ ...files, data: files.rows }}>
      {(items) => (
        <>
          <FormError failure={download.error} />
          {items.length === 0 && (
            <p className="hint">The session has no files. Tools and code of the agent save them here.</p>
          )}
          <ul className="plain-list">
            {items.map((file) => (
              <li key={file.mount_relative_path} className="row">
                <code>{file.mount_relative_path}</code>
                <span className="hint">
                  {file.size.toLocaleString('en')} bytes, <DateTime value={file.last_modified} />
                </span>
                {isAllowed && (
                  <>
                    <IconButton
                      icon="download"
                      label={`Download ${file.mount_relative_path}`}
                      onClick={() => download.mutate(file)}
                    />
                    <IconButton
                      icon="trash"
                      label={`Delete ${file.mount_relative_path}`}
                      onClick={() => setRemoved(file)}
                    />
                  </>
                )}
              </li>
            ))}
          </ul>
          <Pagination of={files} />
          {removed && (
            <RestrictedForms isAllowed={isAllowed}>
              <RemoveFile mount={mount} file={removed} onClose={() => setRemoved(undefined)} />
            </RestrictedForms>
          )}
        </>
      )}
    </Loaded>
  )
}

interface RemoveProps {
  mount: string
  file: MountFile
  onClose(): void
}

function RemoveFile({ mount, file: { mount_relative_path: file }, onClose }: RemoveProps) {
  const remove = useApiMutation<void>(
    () => ({ method: 'POST', path: `${mount}/delete`, body: { mount_relative_path: file } }),
    {
      invalidates: [mount],
      onSuccess: () => {
        showToast('File deleted')
        onClose()
      },
    },
  )
  return (
    <ConfirmDialog title={`Delete ${file}?`} action="Delete file" isOpen request={remove} onClose={onClose}>
      <p>The agent of the session no longer finds it. This cannot be undone.</p>
    </ConfirmDialog>
  )
}
