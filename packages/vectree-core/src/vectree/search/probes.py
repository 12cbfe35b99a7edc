"""Questions from fields far apart, to learn what an embedder makes of texts that have nothing in common.

Whatever a library is about, nearly all of them are about something else.
"""

from __future__ import annotations

PROBES = (
    "How long does it take a coral reef to recover from bleaching?",
    "Which alloys resist creep in the blades of gas turbines?",
    "Did the reform of land ownership change voting in rural districts?",
    "What makes prime gaps grow, and how fast can they grow?",
    "How do judges weigh precedent against the wording of a statute?",
    "Which bacteria in the gut break down dietary fibre?",
    "How well do transformers translate languages with little training data?",
    "What limits the lifetime of charge carriers in perovskite solar cells?",
    "Do minimum wages reduce employment in small restaurants?",
    "How is the mass of a black hole estimated from the motion of stars?",
    "Which drug lowers blood pressure with the fewest side effects in old patients?",
    "How did trade routes spread pottery styles in the Bronze Age?",
    "What damps vibrations of long suspension bridges in strong wind?",
    "How do honey bees tell each other where flowers are?",
    "Which catalyst turns carbon dioxide into methanol at low pressure?",
    "Does mindfulness training help adolescents with social anxiety?",
    "How can a database keep transactions consistent across data centres?",
    "What sets the depth of earthquakes below a subduction zone?",
    "How does crop rotation change nitrogen in the soil?",
    "Which mutations let a tumour escape immunotherapy?",
    "Why do orchestras tune to the oboe, and when did they begin to?",
    "How accurate are satellite measurements of sea level?",
    "What do children understand of negation before they can speak?",
    "How much energy does a proof-of-work currency use?",
    "Which error-correcting code needs the fewest qubits?",
    "How did medieval towns pay for their walls?",
    "What is the risk of infection after replacement of a hip joint?",
    "How do robots grasp objects they have never seen?",
    "Are topological insulators stable under magnetic disorder?",
    "Which pricing rule makes bidders in an auction tell the truth?",
    "How do plants sense the length of the day before flowering?",
    "Does reading on screens weaken comprehension in primary school?",
    "How does turbulence carry heat near the wall of a pipe?",
    "What decides whether refugees return after a civil war?",
    "Which proteins repair breaks in both strands of DNA?",
    "How can software tests be generated from a formal specification?",
    "What do isotopes in teeth say about the diet of early humans?",
    "How should a hospital schedule nurses over night shifts?",
    "Can the exhaust of ships seed brighter clouds over the ocean?",
    "Which metre did the poets of antiquity use for satire?",
)
