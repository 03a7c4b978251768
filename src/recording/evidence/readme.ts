import type { Track } from '../../model/track.ts';

/** Explanation for a person who has only the archive. */
export function readmeOf(track: Track, exportedAt: string): string {
  return `Evidence about track ${track.number} (${track.id})

Exported at ${exportedAt} by Dunlin, a counter-UAS command and control service. All times are UTC (RFC 3339),
positions WGS 84 degrees. Altitudes say above what: alt_hae_m the ellipsoid, alt_msl_m the geoid (EGM96), alt_agl_m
the ground, height_takeoff_m the take-off. What nobody told is null, or empty in the CSV.

track.json         the track as it was last known: identities, operator, sensors that saw it, integrity
history.csv        where it was, about a point a second, the oldest first
history.geojson    the same for maps (RFC 7946); points without a position are left out
history.kml        the same for Google Earth and others; heights are data, points are clamped to the ground
detections.jsonl   every observation that went to it, one JSON document a line, the newest first
log.jsonl          the log's rows about it and about the assets and assignments it was held for, one a line, the newest
                   first: track.affiliation and track.integrity say who it was held for and whether it was believed,
                   with before and after; rows with a hash are of the audit log
policy.jsonl       the decision configs that were in force while it was seen, one a line, the oldest first; version 0
                   are the built-in defaults, with what the box's configuration says of tracking
manifest.json      the size and SHA-256 of each file above, and the SHA-256 of its own canonical form
SHA256SUMS         the SHA-256 of each file and of manifest.json

To check the archive with nothing but common tools, unpack it and say there: sha256sum -c SHA256SUMS. The manifest's
own hash (manifest_sha256) is of the same JSON without that field, keys in order at every level, no spaces, UTF-8. The
export itself is a row of the audit log (evidence.exported) that carries that hash, so an archive that was changed
afterwards is told from the one that was exported.

A row of the audit log is chained: hash is the SHA-256 of the JSON list [prev_hash, seq, id, workspace_id, at, kind,
severity, actor, subject, text, before, after, reason, correlation_id, policy_version, provenance] as stored, where
actor, subject, before and after are JSON texts. Rows of other workspaces and subjects stand between these;
'dunlin audit verify' checks the whole chain on the box.

Not in this archive: the raw frames as they were received. Dunlin does not record them yet; detections are what was
understood of them. What retention had removed before the export is not here either.
`;
}
