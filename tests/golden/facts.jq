# From modcheck's JSON to one fact a line: see README.
(.findings[]? | "finding \(.code) \(.path // "-") \(.symbol // "-") \(.severity)\(if .terminal then " terminal" else "" end)"),
(.modules | arrays | .[] | "module \(.verdict) \(.path)"),
(.modules | arrays | .[] | select(.ready) | "ready \(.ready) \(.path)", "as-is \(.as_is.verdict) \(.path)"),
(.findings[]? | select(.certainty) | "\(.certainty) \(.code) \(.path) \(.symbol // "-")"),
(.summary | to_entries[] | select(.value | type == "number") | "count \(.key) \(.value)"),
(.summary.by_subsystem // {} | to_entries[] | "subsystem \(.key) \(.value.refused) \(.value.total)"),
"result \(.result)",
"model \(.kernel.preemption.model // "-")"
