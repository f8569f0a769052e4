import { ApiError } from '../../platform/http/api-error.ts'

/** An upload that this process receives. */
export interface UploadSlot {
  fileId: string
  projectId: string
  /** Length of the request; undefined if it was not announced. */
  length: number | undefined
}

export interface UploadSlots {
  /** Bytes that uploads in progress of a project may still add. */
  reservedOf(projectId: string): number
  /**
   * Runs an upload while its bytes are reserved.
   * @throws ApiError 409 if the file is being uploaded, 503 if all uploads together would need too much of the disk
   */
  run<T>(slot: UploadSlot, work: () => Promise<T>): Promise<T>
}

/** Uploads of the largest size that may be on the disk at the same time. */
const LARGEST_AT_ONCE = 10

/**
 * Reserves disk space for uploads before their bytes are read. An upload without a length reserves the largest
 * size. A signed URL is used by one upload at a time, so one URL cannot fill the disk.
 */
export function createUploadSlots(bytesMax: number): UploadSlots {
  const slots = new Map<string, { projectId: string; bytes: number }>()
  let reserved = 0
  return {
    reservedOf: (projectId) =>
      [...slots.values()].reduce((sum, slot) => sum + (slot.projectId === projectId ? slot.bytes : 0), 0),
    async run({ fileId, projectId, length = bytesMax }, work) {
      if (slots.has(fileId))
        throw new ApiError(
          'File_UploadInProgress',
          `The file ${fileId} is being uploaded by another request.`,
        )
      const bytes = Math.min(length, bytesMax)
      if (reserved + bytes > bytesMax * LARGEST_AT_ONCE)
        throw new ApiError(
          'HTTP_ServiceUnavailable',
          'Too many uploads at the same time. Try again in a second.',
        )
      slots.set(fileId, { projectId, bytes })
      reserved += bytes
      try {
        return await work()
      } finally {
        slots.delete(fileId)
        reserved -= bytes
      }
    },
  }
}
