/** Why nothing was done: the machine's word for it. */
export type WorkspaceCode =
  | "closed"
  | "no_descriptor_paths"
  | "root_name"
  | "path_empty"
  | "path_absolute"
  | "path_steps"
  | "path_too_long"
  | "name_empty"
  | "name_too_long"
  | "name_characters"
  | "name_edge"
  | "name_not_canonical"
  | "not_found"
  | "not_a_folder"
  | "link"
  | "not_a_regular_file"
  | "several_links"
  | "other_mount"
  | "outside"
  | "exists"
  | "not_permitted"
  | "too_large"
  | "not_text"
  | "changed_meanwhile"
  | "failed";

/** A refusal holds neither the path nor the content: both are the caller's arguments. */
export type WorkspaceRefusal = {
  readonly kind: "refused";
  readonly code: WorkspaceCode;
  readonly says: string;
};

/** The refusal with the sentence for its code; `cause` is the system's own word, as ENOSPC. */
export function refusal(code: WorkspaceCode, cause?: string): WorkspaceRefusal {
  return {
    kind: "refused",
    code,
    says: cause === undefined ? sentences[code] : `${sentences[code]} (${cause})`,
  };
}

/** Turns what the system throws into a refusal; any other error is a mistake of ours and goes on. */
export function refusedBySystem(error: unknown): WorkspaceRefusal {
  const cause = systemCode(error);
  if (cause === undefined) throw error;
  return refusal(codes[cause] ?? "failed", cause);
}

function systemCode(error: unknown): string | undefined {
  // Node's own complaints about an argument have a code too, but no number of the system's.
  if (!(error instanceof Error) || !("errno" in error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const codes: { readonly [cause: string]: WorkspaceCode } = {
  ENOENT: "not_found",
  // What O_DIRECTORY with O_NOFOLLOW says of a link as well.
  ENOTDIR: "not_a_folder",
  ELOOP: "link",
  EEXIST: "exists",
  // A socket, or a device without its driver.
  ENXIO: "not_a_regular_file",
  ENODEV: "not_a_regular_file",
  ENAMETOOLONG: "name_too_long",
  EACCES: "not_permitted",
  EPERM: "not_permitted",
  EROFS: "not_permitted",
};

const sentences: { readonly [code in WorkspaceCode]: string } = {
  closed: "expected an open workspace, found a closed one: open it again",
  no_descriptor_paths:
    "expected /proc/self/fd to lead to open folders, as on Linux, found that it does not: without it a path cannot be followed safely, so no workspace is opened",
  root_name:
    "expected the root as an absolute path without a trailing slash, doubled slashes or steps: a slash behind a link would follow it",
  path_empty: "expected a path, found an empty text",
  path_absolute: "expected a path relative to the workspace, found one that begins at the system's root",
  path_steps: 'expected names only, found "." or ".."',
  path_too_long: "expected a path of 1,024 bytes or fewer, found a longer one",
  name_empty: "expected a name between slashes and behind the last one, found none",
  name_too_long: "expected names of 255 bytes or fewer, found a longer one",
  name_characters:
    "expected visible characters and plain spaces, found a backslash or an invisible character",
  name_edge: "expected a name that neither begins nor ends with a space or a quote, nor ends with a dot",
  name_not_canonical: "expected the plain form of each character (Unicode NFKC), found a twin of it",
  not_found: "expected every folder on the way, and a file to read, to be there: something is missing",
  not_a_folder: "expected a folder on the way, found something else, perhaps a link: links are not followed",
  link: "expected a regular file, found a link: links are not followed",
  not_a_regular_file: "expected a regular file, found a folder, a pipe, a socket or a device",
  several_links:
    "expected a file with this name only, found one with another too, or with this one no longer: the other may lie outside the workspace",
  other_mount: "expected everything on the root's own mount, found another one inside the workspace",
  outside:
    "expected the folder to lie in the workspace still, found that it does not: it was moved while the path was followed",
  exists: "expected a free name to create, found that it is taken",
  not_permitted: "expected to be let, the system does not allow it",
  too_large: "expected 1,048,576 bytes or fewer, found more",
  not_text: "expected text that UTF-8 can hold, found something else",
  changed_meanwhile:
    "expected the file to keep its size while it was read, found that it grew: read it again",
  failed: "expected the system to do it, it did not",
};
