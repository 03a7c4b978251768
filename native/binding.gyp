{
  "targets": [
    {
      "target_name": "dunlin",
      "sources": ["binding.cc", "tracker_binding.cc", "areas_binding.cc", "assign_binding.cc"],
      "include_dirs": ["<!(node -p \"require('node-addon-api').include_dir\")"],
      "actions": [
        {
          "action_name": "layouts",
          "inputs": ["layouts.json", "../scripts/generate_layouts.mjs"],
          "outputs": ["layouts.h", "../src/model/rows/layouts.ts"],
          "action": ["node", "../scripts/generate_layouts.mjs"]
        }
      ],
      "defines": [
        "NAPI_VERSION=9",
        "NAPI_DISABLE_CPP_EXCEPTIONS",
        "NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS",
        "NODE_ADDON_API_DISABLE_DEPRECATED"
      ],
      "cflags_cc": ["-std=c++20", "-O3", "-Wall", "-Wextra", "-ffp-contract=off", "-fvisibility=hidden", "-fno-math-errno"]
    },
    {
      "target_name": "dunlin-radio",
      "type": "executable",
      "product_extension": "",
      "sources": ["radio/main.cc"],
      "cflags_cc": ["-std=c++20", "-O2", "-Wall", "-Wextra", "-fno-threadsafe-statics", "-fPIE", "-fstack-protector-strong", "-D_FORTIFY_SOURCE=2"],
      "ldflags": ["-pie", "-Wl,--as-needed", "-Wl,-z,relro", "-Wl,-z,now"]
    }
  ]
}
